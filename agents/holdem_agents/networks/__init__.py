"""The networks of trained agents: the policy network and its layers, memory, canonical suits, networks of your own."""
