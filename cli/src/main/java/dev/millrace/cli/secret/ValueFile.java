package dev.millrace.cli.secret;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.yaml.InvalidYaml;
import dev.millrace.cli.yaml.YamlText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads JSON values from JSON and YAML files. */
public final class ValueFile {
    private static final String STANDARD_INPUT = "-";

    private ValueFile() {}

    /** JSON is YAML, too, but is read as JSON, so that the numbers keep all their digits. */
    public static JsonNode read(String file, InputStream standardInput) {
        String text = text(file, standardInput);
        Optional<JsonNode> json = Json.parse(text);
        try {
            return json.isPresent() ? json.get() : YamlText.parse(text);
        } catch (InvalidYaml invalid) {
            throw new CommandFailure(
                    ExitCode.INVALID,
                    source(file) + " is neither valid JSON nor valid YAML: " + invalid.clause() + ". Correct it there.",
                    invalid);
        }
    }

    private static String text(String file, InputStream standardInput) {
        try {
            return file.equals(STANDARD_INPUT)
                    ? new String(standardInput.readAllBytes(), StandardCharsets.UTF_8)
                    : Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    source(file) + " cannot be read as UTF-8 text. Check its path and permissions.",
                    e);
        }
    }

    private static String source(String file) {
        return file.equals(STANDARD_INPUT) ? "Standard input" : "The file " + file;
    }
}
