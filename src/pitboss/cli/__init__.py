"""The `pitboss` command. It holds no logic: each command parses its options, calls a package, prints the result."""
