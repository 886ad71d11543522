package dev.millrace.cli.local;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every command that starts a service. */
final class ServiceOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "YAML file with settings; flags and MILLRACE_* variables take precedence. For a worker, - is standard"
                            + " input.")
    private @Nullable Path config;

    Optional<Path> config() {
        return Optional.ofNullable(config);
    }
}
