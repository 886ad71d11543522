package dev.millrace.cli.identity;

import dev.millrace.cli.output.Terminal;
import picocli.CommandLine.Command;

/** {@code millrace users}: commands for the users of an installation. */
@Command(
        name = "users",
        description = "List, create, disable and enable users.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            UsersCommand.Listing.class,
            UsersCommand.Creating.class,
            UsersCommand.Disabling.class,
            UsersCommand.Enabling.class
        })
public final class UsersCommand {
    @Command(name = "list", description = "List users.")
    static final class Listing extends ListingPrincipals {
        Listing(Terminal terminal) {
            super(terminal, PrincipalKind.USER);
        }
    }

    @Command(name = "create", description = "Create a user who logs in with tokens.")
    static final class Creating extends CreatingPrincipal {
        Creating(Terminal terminal) {
            super(terminal, PrincipalKind.USER);
        }
    }

    @Command(name = "disable", description = "Disable a user: the user's tokens stop working.")
    static final class Disabling extends SwitchingPrincipal {
        Disabling(Terminal terminal) {
            super(terminal, PrincipalKind.USER, true);
        }
    }

    @Command(name = "enable", description = "Enable a user again.")
    static final class Enabling extends SwitchingPrincipal {
        Enabling(Terminal terminal) {
            super(terminal, PrincipalKind.USER, false);
        }
    }
}
