package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.client.Json;
import dev.millrace.cli.output.Launcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads options such as {@code --day 2026-01-31} as the parameters of a script. The server checks what comes out, so only
 * what cannot be read is refused here.
 *
 * @param script path of the script, for messages
 */
record ParameterFlags(String script, ScriptParameters parameters) {
    private static final String FLAG = "--";
    private static final String NEGATION = "no-";

    /** Adds the values of all flags to an input. A flag takes the place of a value that is there. */
    void addTo(ObjectNode input, List<String> flags) {
        Set<String> repeated = new HashSet<>();
        for (int index = 0; index < flags.size(); index++) {
            String flag = flags.get(index);
            if (!flag.startsWith(FLAG) || flag.length() == FLAG.length()) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "'" + flag + "' belongs to no parameter. Write parameters like: --name Ada"
                                + (flag.startsWith("-") ? " (with two hyphens)" : ""));
            }
            int equals = flag.indexOf('=');
            String name = flag.substring(FLAG.length(), equals < 0 ? flag.length() : equals);
            if (equals >= 0) {
                add(input, find(name), name, flag.substring(equals + 1), repeated);
            } else if (isNegation(name)) {
                String negated = name.substring(NEGATION.length());
                input.set(find(negated).map(ScriptParameters.Parameter::name).orElse(negated), BooleanNode.FALSE);
            } else if (isBoolean(find(name)) && !isTruth(flags, index + 1)) {
                input.set(find(name).orElseThrow().name(), BooleanNode.TRUE);
            } else if (index + 1 < flags.size()) {
                add(input, find(name), name, flags.get(++index), repeated);
            } else {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "The parameter --" + name + " has no value. Write it like: --" + name + " VALUE");
            }
        }
    }

    /** The parameter of a name; empty if the script takes the name without listing it. */
    private Optional<ScriptParameters.Parameter> find(String name) {
        Optional<ScriptParameters.Parameter> found = parameters.find(name);
        if (found.isEmpty() && !parameters.takesOthers()) {
            String taken = parameters.all().stream()
                    .map(ScriptParameters.Parameter::flag)
                    .collect(Collectors.joining(", "));
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The script " + script + " has no parameter --" + name + ". It takes "
                            + (taken.isEmpty() ? "none" : taken)
                            + ". See what they are with: " + Launcher.NAME + " scripts run " + script + " --help");
        }
        return found;
    }

    private boolean isNegation(String name) {
        return name.startsWith(NEGATION)
                && parameters.find(name).isEmpty()
                && isBoolean(parameters.find(name.substring(NEGATION.length())));
    }

    private static boolean isBoolean(Optional<ScriptParameters.Parameter> parameter) {
        return parameter
                .filter(found ->
                        !found.types().isEmpty() && found.types().getFirst().equals("boolean"))
                .isPresent();
    }

    private static boolean isTruth(List<String> flags, int index) {
        return index < flags.size() && Set.of("true", "false", "null").contains(flags.get(index));
    }

    private static void add(
            ObjectNode input,
            Optional<ScriptParameters.Parameter> parameter,
            String name,
            String text,
            Set<String> repeated) {
        if (parameter.isEmpty()) {
            input.set(name, anything(content(name, text)));
            return;
        }
        ScriptParameters.Parameter found = parameter.get();
        JsonNode value = value(found, text);
        boolean isFirst = repeated.add(found.name());
        if (found.types().contains("array") && !value.isArray() && !value.isNull()) {
            ArrayNode items = isFirst || !input.path(found.name()).isArray()
                    ? input.putArray(found.name())
                    : (ArrayNode) input.get(found.name());
            items.add(value);
        } else if (isFirst) {
            input.set(found.name(), value);
        } else {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "The parameter " + found.flag() + " is given twice and takes one value. Give it once.");
        }
    }

    private static JsonNode value(ScriptParameters.Parameter parameter, String text) {
        if (parameter.schema().path("contentEncoding").asText().equals("base64") && isFile(text)) {
            return TextNode.valueOf(Base64.getEncoder().encodeToString(bytes(parameter.name(), text)));
        }
        String content = content(parameter.name(), text);
        List<String> types = parameter.types();
        if (parameter.schema().path("enum").isArray()) {
            return choice(parameter, content);
        }
        if (types.isEmpty()) {
            // Leading zeros, for example, would be lost.
            return parameter.isText() ? TextNode.valueOf(content) : anything(content);
        }
        if (types.contains("null") && content.equals("null")) {
            return NullNode.getInstance();
        }
        boolean isDuration = parameter.schema().path("format").asText().equals("duration");
        if (types.getFirst().equals("string") && !isDuration) {
            return TextNode.valueOf(content);
        }
        Optional<JsonNode> parsed =
                Json.parse(content).filter(value -> types.stream().anyMatch(type -> is(value, type)));
        if (parsed.isPresent()) {
            return parsed.get();
        }
        if (types.contains("string")) {
            return TextNode.valueOf(content);
        }
        if (types.contains("array") && !content.stripLeading().startsWith("[")) {
            return item(parameter, content);
        }
        throw refused(parameter, content);
    }

    /** One item of an array whose option is repeated. */
    private static JsonNode item(ScriptParameters.Parameter parameter, String content) {
        JsonNode items = parameter.schema().path("items");
        return items.path("type").asText().equals("string") ? TextNode.valueOf(content) : anything(content);
    }

    private static JsonNode choice(ScriptParameters.Parameter parameter, String content) {
        JsonNode choices = parameter.schema().get("enum");
        return choices.valueStream()
                .filter(choice -> choice.isTextual() && choice.asText().equals(content))
                .findFirst()
                .or(() -> choices.valueStream()
                        .filter(choice -> Json.compact(choice).equals(content))
                        .findFirst())
                .orElseThrow(() -> refused(parameter, content));
    }

    private static boolean is(JsonNode value, String type) {
        return switch (type) {
            case "integer", "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            case "null" -> value.isNull();
            default -> false;
        };
    }

    private static JsonNode anything(String content) {
        return Json.parse(content).orElseGet(() -> TextNode.valueOf(content));
    }

    private static CommandFailure refused(ScriptParameters.Parameter parameter, String content) {
        String shown = content.length() <= 100 ? "'" + content + "'" : "a text of " + content.length() + " characters";
        return new CommandFailure(
                ExitCode.USAGE,
                "The parameter " + parameter.flag() + " is " + shown + " (expected: " + parameter.type()
                        + "). Correct it.");
    }

    private static boolean isFile(String text) {
        return text.startsWith("@") && !text.startsWith("@@");
    }

    /** The text itself, or that of the file behind {@code @}. */
    private static String content(String name, String text) {
        if (isFile(text)) {
            return new String(bytes(name, text), StandardCharsets.UTF_8);
        }
        return text.startsWith("@@") ? text.substring(1) : text;
    }

    private static byte[] bytes(String name, String text) {
        try {
            return Files.readAllBytes(Path.of(text.substring(1)));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NOT_FOUND,
                    "The file " + text.substring(1) + " for the parameter --" + name
                            + " cannot be read. Check its path, or write @@ for a text that begins with @.",
                    e);
        }
    }
}
