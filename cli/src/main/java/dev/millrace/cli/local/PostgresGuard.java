package dev.millrace.cli.local;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends Postgres when this process is killed, so that it does not stay behind: a shell beside it notices the end of its pipe. A Postgres that was
 * left behind all the same, {@link StalePostmaster} stops at the next start.
 */
final class PostgresGuard implements AutoCloseable {
    /** Arguments: the process of Postgres, which another may have become by then, and a folder to delete, or nothing. */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            while read -r line; do :; done
            case $(ps -o comm= -p "$1" 2>/dev/null) in *postgres*) kill -INT "$1" ;; esac
            [ -n "$2" ] || exit
            while kill -0 "$1" 2>/dev/null; do sleep 0.1; done
            rm -rf -- "$2"
            """;

    private final @Nullable Process shell;

    private PostgresGuard(@Nullable Process shell) {
        this.shell = shell;
    }

    /**
     * Guards a Postgres from now on; nothing where there is no shell.
     *
     * @param thrownAway folder that nobody wants once Postgres has ended
     */
    static PostgresGuard start(Optional<ProcessHandle> postgres, Optional<Path> thrownAway) {
        if (postgres.isEmpty()) {
            return new PostgresGuard(null);
        }
        try {
            ProcessBuilder builder = new ProcessBuilder(
                            "sh",
                            "-c",
                            SCRIPT,
                            "millrace-postgres-guard",
                            String.valueOf(postgres.get().pid()),
                            thrownAway.map(Path::toString).orElse(""))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD);
            // The environment of this process may hold secrets, and is none of the guard's business.
            builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
            return new PostgresGuard(builder.start());
        } catch (IOException noShell) {
            return new PostgresGuard(null);
        }
    }

    /** Ends the guard; Postgres has stopped. */
    @Override
    public void close() {
        if (shell != null) {
            shell.destroyForcibly();
        }
    }
}
