package dev.millrace.cli.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.cli.CliRunner;
import dev.millrace.cli.FakeGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptsDeployCommandTest {
    @TempDir
    private Path folder;

    private FakeGateway gateway = FakeGateway.start();

    @BeforeEach
    void answer() {
        gateway.on("POST /scripts", 201, "{\"path\":\"main.py\",\"hash\":\"h\",\"files\":[{\"path\":\"helper.py\"}]}");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void sendsTheFilesThatTheScriptImports() throws IOException {
        write(Map.of(
                "main.py", "import helper\nfrom lib import text\nimport json, requests",
                "helper.py", "HELPER",
                "lib/text.py", "from . import deep",
                "lib/deep.py", "",
                "unused.py", "",
                "requirements.txt", "humanize"));

        CliRunner.Outcome outcome = deploy("main.py");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.output()).contains("Deployed script main.py with helper.py. Run it with");
        assertThat(sent().getFirst().path("path").asText()).isEqualTo("main.py");
        assertThat(files(sent().getFirst()))
                .containsExactly("helper.py", "lib/deep.py", "lib/text.py", "requirements.txt");
        assertThat(sent().getFirst().path("files").path("helper.py").asText()).isEqualTo("HELPER");
    }

    @Test
    void namesFilesByTheirPlaceBesideTheScript() throws IOException {
        write(Map.of(
                "project/main.ts",
                "import './lib/a.ts'; import '../outside.ts';",
                "project/lib/a.ts",
                "",
                "outside.ts",
                ""));

        deploy("project/main.ts", "--path", "f/etl/load.ts");

        assertThat(files(sent().getFirst())).containsExactly("f/etl/lib/a.ts");
    }

    @Test
    void warnsOfAModuleWhosePackageAFolderHides() throws IOException {
        write(Map.of("main.py", "import redis.asyncio", "redis/__init__.py", ""));

        CliRunner.Outcome outcome = deploy("main.py");

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.errors())
                .contains(
                        ":1: No file has the module redis.asyncio, although ", "rename ", " if the package is meant.");
    }

    @Test
    void sendsNothingThatALinkLeadsTo(@TempDir Path elsewhere) throws IOException {
        Path secret = Files.writeString(elsewhere.resolve("secret.txt"), "SECRET");
        write(Map.of("main.py", "import helper"));
        Files.createSymbolicLink(folder.resolve("helper.py"), secret);

        CliRunner.Outcome outcome = deploy("main.py");

        assertThat(outcome.exitCode()).isNotZero();
        assertThat(outcome.errors()).contains("a link that leads out of the folder");
        assertThat(gateway.requests()).isEmpty();
    }

    @Test
    void sendsNoFilesWithAScriptThatImportsNone() throws IOException {
        write(Map.of("main.py", "import json", "json.py", ""));

        deploy("main.py");

        assertThat(sent().getFirst().has("files")).isFalse();
    }

    @Test
    void deploysTheScriptsOfAFolder() throws IOException {
        write(Map.of(
                "b.py", "from . import shared.text",
                "etl/a.ts", "",
                ".venv/hidden.py", "",
                "node_modules/x.js", "",
                "note.md", ""));

        CliRunner.Outcome outcome = deploy("", "--path", "f/team");

        assertThat(outcome.exitCode()).isZero();
        assertThat(sent())
                .extracting(body -> body.path("path").asText())
                .containsExactly("f/team/b.py", "f/team/etl/a.ts");
    }

    @Test
    void tellsOfSqlAndLeavesOutWhatTheIgnoreFileNames() throws IOException {
        gateway.on("POST /scripts", 201, "{\"path\":\"f/any.sql\",\"hash\":\"h\"}");
        write(Map.of("a.sql", "", "db/V1__x.sql", ""));
        assertThat(deploy("", "--path", "f").errors()).contains(" SQL. Leave out migrations");
        write(Map.of(
                ".millraceignore",
                "# migrations\n/db/\n*_test.py\n!keep_test.py\n",
                "b_test.py",
                "",
                "keep_test.py",
                ""));

        CliRunner.Outcome outcome = deploy("", "--path", "f");

        assertThat(outcome.errors()).doesNotContain("SQL");
        assertThat(sent().subList(2, sent().size()))
                .extracting(body -> body.path("path").asText())
                .containsExactly("f/a.sql", "f/keep_test.py");
    }

    @ParameterizedTest
    @CsvSource({
        "*.sql, a.sql c/a.sql, a.sqlx",
        "/*.sql, a.sql, c/a.sql",
        "db/*.sql, db/a.sql, c/db/a.sql db/c/a.sql",
        "**/old, old c/old c/d/old, older",
        "db/**, db/a db/c/a, db c/db/a",
        "a/**/b, a/b a/c/b a/c/d/b, ab",
        "V[0-9]?__x, V12__x, V1__x VA2__x",
        "V[!0-9], VA, V1",
        "a.b, a.b, axb",
        "\\!a, !a, a",
        "x(1, x(1, x",
    })
    void readsPatternsAsGitDoes(String pattern, String leftOut, String kept) throws IOException {
        write(Map.of(".millraceignore", pattern));
        IgnoreFile ignore = IgnoreFile.of(folder);

        assertThat(leftOut.split(" ")).allMatch(path -> ignore.leavesOut(folder.resolve(path), false));
        assertThat(kept.split(" ")).noneMatch(path -> ignore.leavesOut(folder.resolve(path), false));
    }

    private void write(Map<String, String> files) throws IOException {
        for (var file : files.entrySet()) {
            Path place = folder.resolve(file.getKey()).normalize();
            Files.createDirectories(place.getParent());
            Files.writeString(place, file.getValue());
        }
    }

    private CliRunner.Outcome deploy(String name, String... options) {
        List<String> arguments = new ArrayList<>(
                List.of("scripts", "deploy", folder.resolve(name).toString()));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("--server", gateway.url()));
        return CliRunner.run(arguments.toArray(String[]::new));
    }

    private List<JsonNode> sent() {
        return gateway.requests().stream().map(FakeGateway.Request::body).toList();
    }

    private static List<String> files(JsonNode body) {
        return body.path("files")
                .propertyStream()
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }
}
