package dev.millrace.cli.local;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends Postgres when this process is killed: a shell beside it notices the end of its pipe. If a Postgres is left
 * behind all the same, {@link StalePostmaster} stops it at the next start.
 */
final class PostgresGuard implements AutoCloseable {
    /**
     * Arguments: the process id of Postgres, which another program may have by then, and a folder to delete, or
     * nothing.
     */
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
     * Starts to guard a Postgres. Does nothing if there is no shell.
     *
     * @param thrownAway folder to delete once Postgres has ended
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
            // The environment of this process may hold secrets that the guard does not need.
            builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
            return new PostgresGuard(builder.start());
        } catch (IOException noShell) {
            return new PostgresGuard(null);
        }
    }

    /** Ends the guard, after Postgres has stopped. */
    @Override
    public void close() {
        if (shell != null) {
            shell.destroyForcibly();
        }
    }
}
