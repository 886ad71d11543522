package dev.millrace.handler.task;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.millrace.task.ServerTask;
import dev.millrace.worker.JobContext;
import dev.millrace.worker.JobException;
import dev.millrace.worker.JobHandler;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs the jobs of one {@link ServerTask} after checking their input against its schema. */
final class TaskHandler implements JobHandler {
    private static final String PREFIX = "server.";
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    private static final int PROBLEMS_SHOWN_MAX = 5;
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};

    private final String name;
    private final ServerTask task;
    private final JsonSchema schema;

    /** @throws IllegalArgumentException if the task's name or schema is invalid */
    TaskHandler(ServerTask task) {
        if (!NAME.matcher(task.name()).matches()) {
            throw new IllegalArgumentException(
                    "The server task " + task.getClass().getName() + " is named \"" + task.name()
                            + "\" (expected: 1 to 63 lower-case letters, digits and hyphens).");
        }
        this.name = PREFIX + task.name();
        this.task = task;
        try {
            this.schema = SCHEMAS.getSchema(JSON.readTree(task.inputSchema()));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "The input schema of the server task " + name + " is not JSON: " + e.getMessage(), e);
        }
    }

    /** The handler name in steps, {@code server.NAME}. */
    String name() {
        return name;
    }

    @Override
    public @Nullable Object handle(JobContext context) throws Exception {
        JsonNode input = context.input();
        String problems = schema.validate(input).stream()
                .map(ValidationMessage::getMessage)
                .limit(PROBLEMS_SHOWN_MAX)
                .collect(Collectors.joining("; "));
        if (!problems.isEmpty() || !input.isObject()) {
            throw new JobException(
                    "InputError",
                    "The input of " + name + " does not fit its schema: "
                            + (problems.isEmpty() ? "it is not an object" : problems) + ".",
                    false);
        }
        try {
            return task.run(JSON.convertValue(input, OBJECT));
        } catch (InterruptedException stopped) {
            throw stopped;
        } catch (Exception failure) {
            throw new JobException(
                    failure.getClass().getSimpleName(),
                    failure.getMessage() == null ? name + " failed without a message." : failure.getMessage(),
                    false);
        }
    }
}
