package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.blob.BlobUploads;
import dev.millrace.cli.client.Json;
import dev.millrace.scheduler.expression.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Builds the input of a run from a file and single fields. */
final class RunInput {
    private static final String STANDARD_INPUT = "-";

    private RunInput() {}

    static ObjectNode read(Optional<String> file, List<String> fields, InputStream standardInput) {
        ObjectNode input = file.map(name -> parseFile(name, standardInput)).orElseGet(Json::object);
        addAll(input, fields, "The input", "-i name=Ada");
        return input;
    }

    /** Builds the environment of a run from names with their values. */
    static ObjectNode environment(List<String> fields) {
        ObjectNode environment = Json.object();
        addAll(environment, fields, "The value", "--env REGION=eu");
        return environment;
    }

    /** Uploads files, and adds the references to them to an input. Uploads none if one of the fields has no name. */
    static void addBlobs(ObjectNode input, List<String> fields, BlobUploads uploads) {
        Map<String, String> files = new LinkedHashMap<>();
        forEach(fields, "The file", "--blob photo=photo.png", files::put);
        files.forEach((name, file) -> input.set(name, uploads.put(file, Optional.empty())));
    }

    private static void addAll(ObjectNode object, List<String> fields, String what, String example) {
        forEach(fields, what, example, (name, value) -> object.set(name, value(value)));
    }

    private static void forEach(
            List<String> fields, String what, String example, BiConsumer<String, String> nameAndValue) {
        for (String field : fields) {
            int equals = field.indexOf('=');
            if (equals <= 0) {
                throw new CommandFailure(
                        ExitCode.USAGE, what + " '" + field + "' has no name. Write it like: " + example);
            }
            nameAndValue.accept(field.substring(0, equals), field.substring(equals + 1));
        }
    }

    /**
     * Parses JSON, or returns the text itself if it is not JSON: {@code 3} is a number, {@code Ada} and {@code "3"} are
     * strings.
     */
    private static JsonNode value(String text) {
        return Json.parse(text).orElseGet(() -> TextNode.valueOf(text));
    }

    private static ObjectNode parseFile(String name, InputStream standardInput) {
        String text = name.equals(STANDARD_INPUT) ? readAll(standardInput) : readFile(name);
        return Json.parse(text)
                .filter(JsonNode::isObject)
                .map(ObjectNode.class::cast)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.INVALID,
                        (name.equals(STANDARD_INPUT) ? "Standard input" : "The input file " + name)
                                + JsonText.problem(text)
                                        .map(
                                                problem -> " is not valid JSON: " + problem
                                                        + ". Correct it there; a missing comma, quote or bracket is the usual cause.")
                                        .orElse(" does not hold a JSON object.")
                                + " An input looks like: {\"name\": \"Ada\"}"));
    }

    private static String readFile(String name) {
        try {
            return Files.readString(Path.of(name));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND, "The input file " + name + " cannot be read as UTF-8 text. Check its path.", e);
        }
    }

    private static String readAll(InputStream in) {
        try {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NOT_FOUND, "Standard input cannot be read.", e);
        }
    }
}
