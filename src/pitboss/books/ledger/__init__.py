"""Double entry: movements of money, the accounts they are posted to, and the rules they keep."""
