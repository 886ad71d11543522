package dev.millrace.cli.local;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Folders of Millrace: the launcher names its own in {@code MILLRACE_HOME}. */
public final class MillraceHome {
    private static final String STATE_FOLDER = ".millrace";

    private MillraceHome() {}

    /** The checkout, or the current folder if the launcher was not used. */
    public static Path folder(Map<String, String> environment) {
        return Path.of(Optional.ofNullable(environment.get("MILLRACE_HOME")).orElse(""))
                .toAbsolutePath();
    }

    /** Folder for state that survives a restart; safe to delete while nothing runs. */
    public static Path stateFolder(Map<String, String> environment) {
        return folder(environment).resolve(STATE_FOLDER);
    }
}
