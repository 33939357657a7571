"""Looking after an installation: the doctor, the support bundle, upgrade and rollback; no server imports it."""
