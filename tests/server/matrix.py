"""Who may use which route, typed a second time: a letter for each role and kind of device, `*` for everybody.

D dealer, S supervisor, V surveillance, A accounting, M manager, U auditor, X administrator;
d device, y display, c console, m monitor.
"""

from __future__ import annotations

from functools import cache

LETTERS = {
    "D": "dealer",
    "S": "supervisor",
    "V": "surveillance",
    "A": "accounting",
    "M": "manager",
    "U": "auditor",
    "X": "administrator",
    "d": "device",
    "y": "display",
    "c": "console",
    "m": "monitor",
    "*": "anyone",
}

MATRIX = """
GET  /                                *
GET  /fonts/{name}.ttf               *
GET  /favicon.ico                     *
GET  /healthz                         *
GET  /livez                          *
GET  /readyz                         *
GET  /cards/{card}.svg                 *
GET  /metrics                         UXm
GET  /today                           SVAMU
POST /today/approvals/{number}/{do}   SVAM
GET  /tables                          DSM
GET  /shell                           DSVAMUX
GET  /session                         DSVAMUX
POST /session                         DSVAMUX
GET  /sign-in                         *
POST /sign-in                         *
GET  /links/{code}                    *
POST /links/{code}                    *
GET  /tap                             c
POST /tap                             c
GET  /account                         DSVAMUX
POST /account/password                DSVAMUX
POST /account/pin                     DSVAMUX
POST /account/factor                  DSVAMUX
POST /account/token                   DSVAMUX
GET  /api/v1/openapi.json             DSVAMUXdycm
GET  /api/v1/me                       DSVAMUXdycm
GET  /api/v1/stream                   *
GET  /api/v1/topics                   *
GET  /practice                        *
GET  /practice/{game}                 *
GET  /practice/{game}/review          *
GET  /practice/{game}/drill           *
POST /practice/{game}/drill/do        *
POST /practice/{game}/{do}            *
GET  /training                        DSVAMU
POST /training/begin                  DSM
GET  /training/run                    DSM
POST /training/answer                 DSM
POST /training/next                   DSM
GET  /training/tables/{table}/console       DSM
GET  /training/tables/{table}/console/call  DSM
POST /training/tables/{table}/console/{do}  DSM
GET  /training/record/{sequence}/pdf  DSVAMU
GET  /odds                            *
GET  /odds/{game}/vulnerability       SVAMU
GET  /odds/{game}/{wager}             *
GET  /odds/{game}/{wager}/figures     *
GET  /odds/{game}/{wager}/design      *
GET  /odds/{game}/{wager}/download/{form} *
GET  /tables/{table}/vision           *
GET  /tables/{table}/console          DSMc
GET  /tables/{table}/console/call     DSMc
POST /tables/{table}/console/{do}     DSM
GET  /tables/{table}/play             DSVAMUc
POST /tables/{table}/play/{do}        DS
GET  /tables/{table}/play/rounds/{bound}/{told} DSVAMUc
GET  /office/reports                  SVAMU
GET  /office/reports/{name}           SVAMU
GET  /office/reports/{name}/csv       SVAMU
GET  /office/reports/{name}/pdf       SVAMU
GET  /office/packet                   SAMU
GET  /office/papers                   SVAMU
GET  /office/tomorrow                 SVAMU
GET  /office/papers/{table}/{name}/pdf SVAMU
POST /office/papers/post              SM
POST /office/papers/remove            SM
GET  /office/papers/{table}/{name}/picture SVAMU
GET  /office/papers/{table}/layout/svg SVAMU
GET  /office/papers/set               SVAMU
GET  /office/hits/{number}/forms      SAMU
GET  /office/malfunctions/{number}/report SVAMU
GET  /office/tables/{table}/log       SVAMU
GET  /office/audit                    SVAMU
GET  /office/audit/explain            SVAMU
GET  /office/audit/chain              SVAMU
GET  /office/audit/who                SVAMU
GET  /office/audit/{sequence}         SVAMU
GET  /office/audit/configurations     SVAMU
GET  /office/tables                   SVAMU
POST /office/tables                   M
POST /office/tables/open-day          SM
GET  /office/tables/{table}           SVAMU
GET  /office/tables/{table}/edit      M
POST /office/tables/{table}/edit      M
GET  /office/tables/{table}/asked/{number} SVAMU
POST /office/tables/{table}/{do}      SVAM
GET  /office/jackpots                 SVAMU
GET  /office/jackpots/{name}          SVAMU
GET  /office/jackpots/new/{kind}      M
POST /office/jackpots/new/{kind}      M
GET  /office/jackpots/{name}/change   M
POST /office/jackpots/{name}/change   M
POST /office/jackpots/asked/{number}/{do} SVAM
GET  /office/jackpots/{name}/forecast SVAMU
GET  /office/odds/{table}/par         SVAMU
GET  /office/odds/{table}             SVAMU
POST /office/desk/{do}                SVAM
POST /api/v1/tables/add                  M
POST /api/v1/tables/open-day             SM
POST /api/v1/desk/collect                AM
POST /api/v1/desk/count                  AM
GET  /office/count                    AM
POST /office/count                    AM
POST /api/v1/desk/raise                  SVAM
POST /api/v1/desk/raise-found            SVAM
POST /api/v1/desk/take                   SVAM
POST /api/v1/desk/resolve                SVAM
GET  /office/slides                   SVAMU
POST /office/slides                   M
POST /office/slides/end               M
GET  /slides/{name}                   *
POST /api/v1/promotions/pictures         M
GET  /office/start                    SVAMX
POST /office/start/devices            X
GET  /office/room                     SAMUX
POST /office/room                     MX
POST /office/room/name                M
POST /office/room/makers              M
POST /api/v1/room/set                    MX
POST /api/v1/room/rename                 M
POST /api/v1/room/register-maker         M
POST /api/v1/backups/plan                MX
POST /api/v1/backups/stop                MX
GET  /office/devices                  SMUX
POST /office/devices                  X
POST /office/devices/{name}/{do}      X
GET  /office/people                   MUX
POST /office/people                   X
POST /office/people/requests/{do}     VAMX
POST /office/people/{login}/{do}      X
POST /office/jackpots/{name}/{do}     SVAM
GET  /floor                           SVAMU
GET  /floor/hits/{_number}/{_do}      SVAMU
GET  /floor/approvals/{_number}/{_do} SVAMU
GET  /floor/alarms/{_do}              SVAMU
POST /floor/hits/{number}/{do}        SVAM
POST /floor/approvals/{number}/{do}   SVAM
POST /floor/alarms/{do}               SVAM
GET  /floor/tables/{table}            DSVAMU
GET  /floor/tables/{table}/{_do}      DSVAMU
POST /floor/tables/{table}/{do}       DSM
GET  /office/jackpots/{name}/reserve  SVAMU
POST /office/jackpots/{name}/reserve/{do} AM
GET  /floor/displays                  SVAMU
GET  /floor/disputes                  SVAMU
POST /floor/disputes                  SM
GET  /floor/disputes/new              SM
GET  /floor/disputes/{number}         SVAMU
GET  /floor/disputes/{number}/pdf     SVAMU
GET  /office/hits                     SVAMU
POST /office/hits/found               S
POST /office/hits/raise               SVAM
POST /office/hits/small/{table}/{prize}/reverse SM
GET  /office/hits/{number}            SVAMU
GET  /office/hits/{number}/slips/{slip} SAMU
POST /office/hits/{number}/slips/{slip} SAM
GET  /office/hits/{number}/slips/{slip}/print SAMU
POST /office/hits/{number}/slips/{slip}/print SAM
GET  /office/hits/{number}/slips/{slip}/pdf SAMU
GET  /api/v1/people                   MUX
POST /api/v1/people                   X
PUT  /api/v1/people/{login}           X
POST /api/v1/people/{login}/links     X
GET  /api/v1/devices                  SMUX
POST /api/v1/devices                  X
PUT  /api/v1/devices/{name}           X
POST /api/v1/devices/{name}/links     X
POST /api/v1/devices/{name}/tokens    X
POST /api/v1/devices/messages            d
POST /api/v1/displays/beat               yc
GET  /api/v1/odds                        DSVAMUX
GET  /api/v1/summary                     AMU
GET  /api/v1/room                        *
GET  /api/v1/jackpots/{name}             *
GET  /api/v1/jackpots/{name}/accounts    SVAMU
GET  /api/v1/jackpots/{name}/explanation SVAMU
GET  /api/v1/hits                        DSVAMUc
GET  /api/v1/hits/{number}/explanation   SVAMU
GET  /api/v1/tables/{table}              DSVAMUXc
GET  /api/v1/alarms                      SVAMU
GET  /api/v1/head                        SVAMU
GET  /api/v1/entries                     SVAMU
GET  /api/v1/approvals                   SVAMUX
POST /api/v1/approvals/{number}/give     SVAM
POST /api/v1/approvals/{number}/refuse   SVAMX
POST /api/v1/approvals/{number}/give-here c
POST /api/v1/jackpots/define             M
POST /api/v1/jackpots/change             M
POST /api/v1/jackpots/open               SM
POST /api/v1/jackpots/close              SM
POST /api/v1/jackpots/suspend            SVAM
POST /api/v1/jackpots/adjust             AM
POST /api/v1/jackpots/receipts           AM
POST /api/v1/jackpots/notice             M
POST /api/v1/jackpots/remove             M
POST /api/v1/jackpots/seed-other         AM
POST /api/v1/jackpots/confirm-amount     AM
POST /api/v1/jackpots/document-removal   AM
POST /api/v1/jackpots/post               AM
POST /api/v1/jackpots/withdraw-posting   AM
POST /api/v1/jackpots/deposit            AM
POST /api/v1/jackpots/deposit-arrived    AM
POST /api/v1/jackpots/withdraw           AM
POST /api/v1/hits/call                   DS
POST /api/v1/hits/call-found             S
POST /api/v1/hits/verify                 SM
POST /api/v1/hits/surveil                V
POST /api/v1/hits/confirm-wager          V
POST /api/v1/hits/document               SAM
POST /api/v1/hits/pay                    SAM
POST /api/v1/hits/close                  SM
POST /api/v1/hits/reject                 SM
POST /api/v1/hits/correct                SM
POST /api/v1/hits/small                  DS
POST /api/v1/hits/envy                   DS
POST /api/v1/hits/undo-small             DS
POST /api/v1/hits/reverse-small          SM
POST /api/v1/hits/print                  SAM
POST /api/v1/hits/reprint                SAM
POST /api/v1/tables/set-up               M
POST /api/v1/tables/post                 M
POST /api/v1/tables/withdraw             M
POST /api/v1/tables/record-approval      M
POST /api/v1/tables/withdraw-approval    M
POST /api/v1/tables/dealing              M
POST /api/v1/tables/give-up-dealt        SM
POST /api/v1/tables/unlock-dealing       M
POST /api/v1/dealt/shuffle               DS
POST /api/v1/dealt/operate               DS
GET  /api/v1/dealt/{table}               DSUc
POST /api/v1/tables/open                 SM
POST /api/v1/tables/close                SM
POST /api/v1/tables/suspend              SM
POST /api/v1/tables/resume               SM
POST /api/v1/tables/press                DS
POST /api/v1/tables/state-lights         DS
POST /api/v1/tables/name-seats           SM
POST /api/v1/tables/log-deck             DSM
POST /api/v1/tables/set-shuffler         M
POST /api/v1/tables/mark-seats           DSM
POST /api/v1/tables/correct              DSM
POST /api/v1/tables/correct-earlier      SM
POST /api/v1/tables/void                 SM
POST /api/v1/tables/down                 SM
POST /api/v1/tables/by-hand              SM
POST /api/v1/tables/enter-counts         SM
POST /api/v1/tables/restore              SM
POST /api/v1/tables/read-counter         DSM
POST /api/v1/tables/malfunction          SM
POST /api/v1/tables/report               SM
POST /api/v1/tables/mend                 SM
POST /api/v1/tables/clear-alarm          SM
POST /api/v1/tables/give-up              SM
POST /api/v1/promotions/set              M
POST /api/v1/promotions/end              M
POST /api/v1/displays/register           MX
POST /api/v1/displays/confirm            SM
POST /api/v1/papers/post                 SM
POST /api/v1/papers/remove               SM
POST /api/v1/floor/take-alarm            SVM
POST /api/v1/floor/dispute               SM
POST /sign-out                        DSVAMUX
"""


@cache
def stated() -> dict[tuple[str, str], frozenset[str]]:
    """By method and path, the roles."""
    found = {}
    for line in MATRIX.strip().splitlines():
        method, path, letters = line.split()
        found[method, path] = frozenset(LETTERS[letter] for letter in letters)
    return found
