"""Protocols by which programs in any language play: lines of text over pipes and sockets."""
