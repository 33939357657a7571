"""Cards dealt by Pitboss: for play money, or where the director has approved electronic facsimiles (W-04)."""
