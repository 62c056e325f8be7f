// Read before the page is drawn: which theme was chosen here, if one was. The switch is in app.js.
document.documentElement.dataset.theme = localStorage.getItem("holdem-theme") || "auto";
