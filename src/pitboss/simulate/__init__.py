"""The same rounds by the hundred million: dealt, decided and settled by compiled loops that read the games' own facts.

Rounds come in blocks; a key and a block number name the very rounds, whoever plays them. This package has no rules of
its own: facts come from `games`, pays from the settlement of `rules`, decisions from `odds`, meters from `meters`.
"""
