package dev.millrace.e2e.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Answer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Content of an {@code expected.json}. In its texts, {@code …} stands for any characters. */
record Expected(JsonNode content) {
    /** Whether the deployment or the submission of the flow must be rejected. */
    boolean refused() {
        return content.path("state").asText().equals("refused");
    }

    void checkRefusal(Answer answer) {
        assertThat(answer.status()).as("status of %s", answer.body()).isBetween(400, 499);
        assertThat(answer.body().path("detail").asText())
                .contains(content.path("problem").asText());
    }

    /** Operations on the run while it is in progress, in order. */
    List<Action> actions() {
        return StreamSupport.stream(content.path("do").spliterator(), false)
                .map(Action::new)
                .toList();
    }

    void check(JsonNode run, List<JsonNode> steps) {
        assertThat(run.path("state").asText())
                .as("state of %s", run)
                .isEqualTo(content.path("state").asText());
        if (content.has("from_cache")) {
            assertThat(run.path("from_cache").asBoolean())
                    .isEqualTo(content.path("from_cache").asBoolean());
        }
        if (content.has("output")) {
            assertThat(run.path("output")).as("output of the run").isEqualTo(content.path("output"));
        }
        for (Iterator<String> names = content.path("error").fieldNames(); names.hasNext(); ) {
            String name = names.next();
            checkText(
                    run.path("error").path(name).asText(),
                    content.path("error").path(name).asText());
        }
        content.path("steps").forEachEntry((key, state) -> checkStep(key, state, steps));
    }

    /** Whether the flow must be run a second time. */
    boolean again() {
        return content.has("again");
    }

    void checkAgain(JsonNode first, JsonNode second) {
        assertThat(second.path("id")).isNotEqualTo(first.path("id"));
        assertThat(second.path("state")).isEqualTo(first.path("state"));
        assertThat(second.path("output")).as("output of the second run").isEqualTo(first.path("output"));
        assertThat(second.path("from_cache").asBoolean())
                .as("second run from the cache")
                .isEqualTo(content.path("again").path("from_cache").asBoolean());
    }

    /** Checks a step's state, or its state and result; if null is expected, the step must have left nothing. */
    private static void checkStep(String key, JsonNode expected, List<JsonNode> steps) {
        Optional<JsonNode> step = steps.stream()
                .filter(one -> one.path("key").asText().equals(key))
                .findFirst();
        if (expected.isNull()) {
            assertThat(step).as("step %s", key).isEmpty();
            return;
        }
        assertThat(step).as("step %s among %s", key, steps).isPresent();
        Map<String, JsonNode> wanted = expected.isObject() ? members(expected) : Map.of("state", expected);
        wanted.forEach((name, value) ->
                assertThat(step.get().path(name)).as("%s of step %s", name, key).isEqualTo(value));
    }

    private static Map<String, JsonNode> members(JsonNode object) {
        return object.propertyStream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static void checkText(String text, String expected) {
        String pattern =
                Arrays.stream(expected.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        assertThat(text).matches(Pattern.compile(pattern, Pattern.DOTALL));
    }
}
