package dev.millrace.cli.local;

import java.nio.file.Path;
import java.util.List;

/** Process that starts a Postgres and ends as if it were killed. */
final class AbandoningProcess {
    static final int EXIT_CODE = 77;
    /** Also ends the guard of that Postgres, as if it were killed, too. */
    static final String WITHOUT_GUARD = "without-guard";

    private AbandoningProcess() {}

    public static void main(String[] arguments) {
        EmbeddedDatabase.persistent(DataFolderLock.acquire(Path.of(arguments[0])), Path.of(arguments[1]));
        if (List.of(arguments).contains(WITHOUT_GUARD)) {
            ProcessHandle.current()
                    .children()
                    .filter(child -> child.info().command().orElse("").endsWith("sh"))
                    .forEach(guard -> {
                        guard.destroyForcibly();
                        guard.onExit().join();
                    });
        }
        Runtime.getRuntime().halt(EXIT_CODE);
    }
}
