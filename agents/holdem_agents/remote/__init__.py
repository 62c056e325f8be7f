"""Bots that join a tournament over the network: `holdem tournament --listen`."""
