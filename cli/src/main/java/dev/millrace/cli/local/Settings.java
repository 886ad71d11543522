package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.scheduler.config.YamlSettings;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Combines settings from flags, {@code MILLRACE_*} variables and the YAML file, in this order of precedence. */
final class Settings {
    private static final int FLAGS_ORDINAL = 400;
    private static final int ENVIRONMENT_ORDINAL = 300;
    private static final int YAML_ORDINAL = 200;

    /** Path that means the standard input of this process. */
    private static final Path STANDARD_INPUT = Path.of("-");

    private Settings() {}

    static SmallRyeConfig load(Flags flags, Optional<Path> yaml, Map<String, String> environment) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(flags.settings(), "flags", FLAGS_ORDINAL))
                .withSources(new EnvConfigSource(environment, ENVIRONMENT_ORDINAL));
        yaml.ifPresent(file -> builder.withSources(isStandardInput(file) ? readStandardInput(System.in) : read(file)));
        return builder.build();
    }

    static boolean isStandardInput(Path yaml) {
        return yaml.equals(STANDARD_INPUT);
    }

    /** Reads what somebody else may have opened for this process. */
    static YamlConfigSource readStandardInput(InputStream in) {
        try {
            return parse("standard input", new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "The configuration cannot be read from standard input: " + e.getMessage() + ".", e);
        }
    }

    private static YamlConfigSource read(Path file) {
        try {
            return parse(file.toString(), Files.readString(file));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The configuration file " + file
                            + " cannot be read. Check its path and that this user may read it.",
                    e);
        }
    }

    private static YamlConfigSource parse(String name, String text) {
        try {
            return YamlSettings.parse(name, text, YAML_ORDINAL);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
