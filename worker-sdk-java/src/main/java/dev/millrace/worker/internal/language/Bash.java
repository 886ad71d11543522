package dev.millrace.worker.internal.language;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.text.bash.BashParameter;
import dev.millrace.worker.JobException;
import dev.millrace.worker.language.JobStart;
import dev.millrace.worker.language.ProcessUse;
import dev.millrace.worker.language.ScriptLanguage;
import dev.millrace.worker.language.ScriptVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Bash. The input becomes variables of the shell, which it does not export. They come through standard input, because
 * every user of a machine can read command lines.
 */
public final class Bash implements ScriptLanguage {
    /**
     * Reads pairs of a name and a value, each ended by a zero byte. The name {@code .} is for positional parameters, and
     * capitals for what the worker exports.
     */
    private static final String PRELUDE = """
            while IFS= read -r -d '' __millrace_name && IFS= read -r -d '' __millrace_value; do
              case $__millrace_name in
                .) __millrace_parameters+=("$__millrace_value") ;;
                [A-Z]*) export "$__millrace_name=$__millrace_value" ;;
                *) printf -v "$__millrace_name" %s "$__millrace_value" ;;
              esac
            done
            export WM_WORKSPACE=$MILLRACE_WORKSPACE
            unset __millrace_name __millrace_value
            exec </dev/null
            . "$0" "${__millrace_parameters[@]}"
            """;

    private static final String POSITION = ".";
    private static final Pattern NAME = Pattern.compile(BashParameter.INPUT_NAME);
    private static final ObjectMapper json = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @Override
    public String name() {
        return "bash";
    }

    @Override
    public List<String> fileEndings() {
        return List.of(".sh");
    }

    @Override
    public Optional<String> version() {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", "printf %s \"$BASH_VERSION\"");
        builder.environment().keySet().removeIf(variable -> !variable.equals("PATH"));
        try {
            Process process =
                    builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.of(said) : Optional.empty();
        } catch (IOException missing) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public ProcessUse use() {
        return ProcessUse.ONCE;
    }

    @Override
    public List<String> command(ScriptVersion script) {
        return List.of("bash", "-c", PRELUDE, script.file().toString());
    }

    @Override
    public byte[] input(ScriptVersion script, JobStart job) throws JobException {
        StringBuilder pairs = new StringBuilder();
        JobVariables.of(job).forEach((name, value) -> add(pairs, name, value));
        JsonNode input = read(job.input());
        for (Map.Entry<String, JsonNode> field : input.properties()) {
            if (!NAME.matcher(field.getKey()).matches()) {
                throw invalid(
                        "The input \"" + field.getKey() + "\" cannot be a variable of Bash: let its name begin with"
                                + " a lower-case letter, followed by letters, digits and underscores.");
            }
            add(pairs, field.getKey(), text(field.getKey(), field.getValue()));
        }
        for (BashParameter parameter : BashParameter.of(source(script))) {
            JsonNode value = input.get(parameter.name());
            if (value == null && !parameter.isOptional()) {
                throw invalid("The input lacks \"" + parameter.name() + "\", which the script takes as \"$"
                        + parameter.position() + "\": add it to the input of the run or step.");
            }
            add(pairs, POSITION, value == null ? "" : text(parameter.name(), value));
        }
        return pairs.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void add(StringBuilder pairs, String name, String value) {
        pairs.append(name).append('\0').append(value).append('\0');
    }

    private static JsonNode read(String input) throws JobException {
        try {
            return json.readTree(input);
        } catch (JsonProcessingException e) {
            throw invalid("The input of the job cannot be read: " + e.getOriginalMessage() + ".");
        }
    }

    private static String source(ScriptVersion script) throws JobException {
        try {
            return Files.readString(script.file());
        } catch (IOException e) {
            throw new JobException("LoadError", "The script cannot be read: " + e + ".", true);
        }
    }

    /** Texts as they are, nothing for null, and JSON for all else. */
    private static String text(String name, JsonNode value) throws JobException {
        String text = value.isTextual() ? value.textValue() : value.isNull() ? "" : value.toString();
        if (text.indexOf('\0') >= 0) {
            throw invalid("The input \"" + name + "\" contains a zero byte, which no variable of Bash can hold.");
        }
        return text;
    }

    private static JobException invalid(String message) {
        return new JobException("InputError", message, false);
    }
}
