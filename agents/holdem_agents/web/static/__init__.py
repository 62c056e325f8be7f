"""The pages: HTML, CSS and modules of JavaScript, served as they are."""
