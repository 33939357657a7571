"""The `pitboss` command. It holds no logic: each command reads what was typed, calls a package, prints the answer."""
