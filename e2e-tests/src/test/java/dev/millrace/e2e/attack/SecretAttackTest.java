package dev.millrace.e2e.attack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Answer;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.SharedInstallation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks on secrets by callers, by authors of flows, and by whoever can write to the database. */
@ExtendWith(SharedInstallation.class)
final class SecretAttackTest {
    private static final String SECRET = "correct-horse-battery";
    private static final String REFERENCE = "${{ secrets.caller.key }}";
    private static final String REFERENCE_BACKWARDS =
            new StringBuilder(REFERENCE).reverse().toString();

    /** Answers backwards, which no mask recognizes. */
    private static final String ECHO = """
            def main(key, note):
                return {"key": key[::-1], "note": note["in"][0][::-1], "length": len(key)}
            """;

    private final Api api;
    private final Installation installation;

    SecretAttackTest(Installation installation) {
        this.installation = installation;
        this.api = installation.api();
    }

    @Test
    @Tag("attack-19")
    void aReferenceThatACallerSendsStaysText() {
        set("caller/key", SECRET);
        api.deployFlow("""
                millrace: v1
                name: caller/echo
                inputs: {note: {}}
                steps:
                  - {id: echo, script: echo.py, input: {key: "${{ secrets.caller.key }}", note: "${{ inputs.note }}"}}
                """, Map.of("echo.py", ECHO));
        api.deployScript("caller/echo.py", ECHO);
        Map<String, Object> note = Map.of("in", List.of(REFERENCE));

        JsonNode flow = api.runToEnd(Map.of("target", Map.of("flow", "caller/echo"), "input", Map.of("note", note)))
                .path("output");
        JsonNode script = api.runToEnd(Map.of(
                        "target", Map.of("script", "caller/echo.py"), "input", Map.of("key", REFERENCE, "note", note)))
                .path("output");

        assertThat(flow.path("length").asInt()).as("the author's reference").isEqualTo(SECRET.length());
        assertThat(flow.path("note").asText()).isEqualTo(REFERENCE_BACKWARDS);
        assertThat(script.path("key").asText()).isEqualTo(REFERENCE_BACKWARDS);
        assertThat(script.path("note").asText()).isEqualTo(REFERENCE_BACKWARDS);
    }

    @ParameterizedTest
    @Tag("attack-20")
    @ValueSource(
            strings = {
                "steps: [{id: a, handler: h, if: '${{ secrets.caller.key }}'}]",
                "steps: [{id: a, handler: h, if: '${{ secrets.caller.key.length > 9 }}'}]",
                "steps: [{id: a, handler: h, tag: '${{ secrets.caller.key }}'}]",
                "steps: [{id: a, handler: h, input: {k: '${{ secrets.caller.key + 1 }}'}}]",
                "steps: [{id: a, handler: h, for_each: '${{ secrets.caller.key }}'}]",
                "steps: [{id: a, value: '${{ secrets.caller.key }}'}]",
                "steps: [{id: a, set: {v: '${{ secrets.caller.key }}'}}]",
                "steps: [{id: a, flow: caller/echo, input: {note: '${{ secrets.caller.key }}'}}]",
                "steps: [{id: a, wait: {approval: x, details: {title: '${{ secrets.caller.key }}'}}}]",
                "{env: {K: '${{ secrets.caller.key }}'}, steps: [{id: a, handler: h}]}",
                "{output: '${{ secrets.caller.key }}', steps: [{id: a, handler: h}]}",
            })
    void aReferenceStandsInTheInputOfTasksOnly(String rest) {
        Answer answer = api.post(
                "/api/v1/flows",
                Map.of(
                        "path",
                        "caller/misplaced",
                        "file_name",
                        "flow.yaml",
                        "definition",
                        rest.startsWith("{") ? "{millrace: v1, " + rest.substring(1) : "millrace: v1\n" + rest));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body().toString()).contains("secrets.caller.key");
    }

    @Test
    @Tag("attack-25")
    void aCiphertextOpensInItsOwnRowOnly() throws SQLException {
        api.post("/api/v1/workspaces", Map.of("name", "rows")).ok();
        api.put("/api/v1/workspaces/rows/secrets/rows/theirs", Map.of("value", SECRET))
                .ok();
        set("rows/theirs", SECRET);
        set("rows/mine", "my own secret");
        api.deployFlow("""
                millrace: v1
                name: rows/show
                steps: [{id: show, script: show.py, input: {key: "${{ secrets.rows.mine }}"}}]
                """, Map.of("show.py", "def main(key): return key[::-1]"));
        assertThat(show().path("output").asText())
                .isEqualTo(new StringBuilder("my own secret").reverse().toString());

        move("select sealed from secret where workspace = 'default' and path = 'rows/theirs'");
        assertRefused("a value of another secret", show());

        move("select sealed from secret where workspace = 'rows' and path = 'rows/theirs'");
        assertRefused("a value of another workspace", show());

        set("rows/mine", "my first secret");
        String former = sealed();
        set("rows/mine", "my second secret");
        move("select decode('" + former + "', 'hex')");
        assertRefused("a former value", show());
    }

    private void set(String path, String value) {
        api.put("/api/v1/secrets/" + path, Map.of("value", value)).ok();
    }

    private JsonNode show() {
        return api.runToEnd(Map.of("target", Map.of("flow", "rows/show")));
    }

    private static void assertRefused(String what, JsonNode run) {
        assertThat(run.path("state").asText()).as("%s: %s", what, run).isEqualTo("failed");
        assertThat(run.toString()).as(what).contains("does not belong there");
    }

    /** Puts another ciphertext into the row of the attacker's secret. */
    private void move(String sealed) throws SQLException {
        execute("update secret set sealed = (" + sealed + ") where workspace = 'default' and path = 'rows/mine'");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The ciphertext of the attacker's secret as hexadecimal digits. */
    private String sealed() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select encode(sealed, 'hex') from secret where workspace = 'default' and path = 'rows/mine'")) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(installation.postgres().jdbcUrl());
    }
}
