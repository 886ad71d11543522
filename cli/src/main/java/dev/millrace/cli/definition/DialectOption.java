package dev.millrace.cli.definition;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --dialect}. */
public final class DialectOption {
    @Option(
            names = "--dialect",
            paramLabel = "NAME",
            description =
                    "Language of the definition, such as millrace or openflow (default: recognized by its shape).")
    private @Nullable String name;

    /** The requested dialect; empty if the server is to recognize it. */
    public Optional<String> name() {
        return Optional.ofNullable(name);
    }
}
