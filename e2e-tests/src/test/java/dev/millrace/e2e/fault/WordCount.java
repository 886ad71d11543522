package dev.millrace.e2e.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.Postgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * A word count over seeded texts across Python and Deno, with checks of its result and its records.
 *
 * @param limited whether its texts are counted under a limit, two at a time in all runs together
 */
record WordCount(List<String> texts, boolean limited) {
    private static final List<String> WORDS = List.of("Water", "wheel", "mill", "race", "stone", "grain");
    private static final int WORDS_PER_TEXT = 50;

    /** Returns a word count that runs under a limit at random. */
    static WordCount random(RandomGenerator random, int texts) {
        return new WordCount(randomTexts(random, texts), random.nextBoolean());
    }

    /** Returns a word count with as many concurrent jobs as its loop allows. */
    static WordCount unlimited(RandomGenerator random, int texts) {
        return new WordCount(randomTexts(random, texts), false);
    }

    private static List<String> randomTexts(RandomGenerator random, int texts) {
        var all = new ArrayList<String>();
        for (int i = 0; i < texts; i++) {
            var words = new ArrayList<String>();
            for (int word = 0; word < WORDS_PER_TEXT; word++) {
                words.add(WORDS.get(random.nextInt(WORDS.size())));
            }
            all.add(String.join(" ", words));
        }
        return List.copyOf(all);
    }

    static void deploy(Api api) {
        var files = Map.of(
                "split.py", resource("split.py"), "count.ts", resource("count.ts"), "merge.py", resource("merge.py"));
        api.deployFlow(resource("flow.yaml"), files);
        api.deployFlow(resource("limited.yaml"), files);
    }

    /** Submits this word count and returns the id of its run. */
    String submit(Api api) {
        String flow = limited ? "fault-wordcount-limited" : "fault-wordcount";
        return api.submit(Map.of("target", Map.of("flow", flow), "input", Map.of("texts", texts)));
    }

    /** Checks the result, and that the API and the database know each step exactly once and no others. */
    void assertRecordedOnce(Api api, Postgres postgres, String runId) throws SQLException {
        JsonNode run = api.awaitEnd(runId);
        assertThat(run.path("state").asText()).as("state of %s", run).isEqualTo("succeeded");
        assertThat(run.path("output")).isEqualTo(expected());

        List<JsonNode> steps = api.steps(runId);
        var keys = steps.stream()
                .map(step -> step.path("key").asText())
                .filter(key -> !key.isEmpty())
                .toList();
        assertThat(keys).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(expectedKeys());
        assertThat(steps)
                .allSatisfy(step -> assertThat(step.path("state").asText()).isEqualTo("succeeded"));

        // Keys with a # are records of the flow engine itself, such as the opening of a loop.
        try (var connection = postgres.connect();
                var query = connection.prepareStatement(
                        "select step_key from job_history where run_id = ? and step_key not like '%#%' order by step_key");
                var left = connection.prepareStatement("select count(*) from job_queue where run_id = ?")) {
            query.setObject(1, UUID.fromString(runId));
            var recorded = new ArrayList<String>();
            for (var rows = query.executeQuery(); rows.next(); ) {
                recorded.add(rows.getString(1));
            }
            Set<String> withRoot = new HashSet<>(expectedKeys());
            withRoot.add("");
            assertThat(recorded).as("rows of history").containsExactlyInAnyOrderElementsOf(withRoot);

            left.setObject(1, UUID.fromString(runId));
            var count = left.executeQuery();
            count.next();
            assertThat(count.getInt(1)).as("jobs left in the queue").isZero();
        }
    }

    private Set<String> expectedKeys() {
        var keys = new HashSet<>(Set.of("split", "count", "merge"));
        for (int i = 0; i < texts.size(); i++) {
            keys.add("count[" + i + "]");
        }
        return keys;
    }

    private JsonNode expected() {
        var counts = new TreeMap<String, Integer>();
        for (String text : texts) {
            for (String word : text.toLowerCase(Locale.ROOT).split(" ", -1)) {
                counts.merge(word, 1, Integer::sum);
            }
        }
        // Converted by text, so that numbers have the same node type as in an answer.
        return Json.parse(Json.of(counts).toString());
    }

    private static String resource(String name) {
        try (var stream = WordCount.class.getResourceAsStream("/wordcount/" + name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
