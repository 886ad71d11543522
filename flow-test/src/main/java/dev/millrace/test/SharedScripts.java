package dev.millrace.test;

import dev.millrace.flowtest.script.ScriptHost;
import java.nio.file.Path;
import java.util.Optional;

/** The processes in which the tests of this JVM run scripts. They end with the JVM. */
final class SharedScripts {
    /** Starts nothing before the first script. */
    static final ScriptHost HOST = ScriptHost.in(folder());

    private SharedScripts() {}

    /** Where packages and scripts are kept from one test run to the next. */
    private static Path folder() {
        return Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"))
                .resolve("millrace")
                .resolve("test-worker");
    }
}
