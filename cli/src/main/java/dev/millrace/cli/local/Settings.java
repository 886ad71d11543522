package dev.millrace.cli.local;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Combines settings from flags, {@code MILLRACE_*} variables and the YAML file, in this order of precedence. */
final class Settings {
    private static final int FLAGS_ORDINAL = 400;
    private static final int ENVIRONMENT_ORDINAL = 300;
    private static final int YAML_ORDINAL = 200;

    private Settings() {}

    static SmallRyeConfig load(Flags flags, Optional<Path> yaml, Map<String, String> environment) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(flags.settings(), "flags", FLAGS_ORDINAL))
                .withSources(new EnvConfigSource(environment, ENVIRONMENT_ORDINAL));
        yaml.ifPresent(file -> builder.withSources(read(file)));
        return builder.build();
    }

    private static YamlConfigSource read(Path file) {
        try {
            return new YamlConfigSource(file.toString(), Files.readString(file), YAML_ORDINAL);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The configuration file " + file
                            + " cannot be read. Check its path and that this user may read it.",
                    e);
        } catch (RuntimeException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, "The configuration file " + file + " is not valid YAML: " + e.getMessage(), e);
        }
    }
}
