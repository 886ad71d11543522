package dev.millrace.cli.definition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CliRunner;
import dev.millrace.cli.FakeGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptsDeployCommandTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "main.py | import helper | helper.py",
                "main.py | from helper import x | helper.py",
                "main.py | from . import helper | helper.py",
                "main.py | import package.part | package/__init__.py",
                "main.ts | import { x } from \"./helper.ts\"; | ./helper.ts",
                "main.ts | const x = await import('../lib/helper.ts'); | ../lib/helper.ts",
            })
    void saysThatTheFilesBesideAScriptStayBehind(String name, String line, String beside) throws IOException {
        Path script = Files.createDirectories(folder.resolve("scripts")).resolve(name);
        Path other = script.resolveSibling(beside);
        Files.createDirectories(other.normalize().getParent());
        Files.writeString(other, "");

        CliRunner.Outcome outcome = deploy(Files.writeString(script, line + "\n"));

        assertThat(outcome.exitCode()).isZero();
        assertThat(outcome.errors()).startsWith("It imports " + beside + ", which lies beside it and was not stored");
    }

    @Test
    void saysNothingOfWhatIsNotBesideIt() throws IOException {
        Path script = folder.resolve("main.py");

        assertThat(deploy(Files.writeString(script, "import json, requests\nfrom . import gone\n"))
                        .errors())
                .isEmpty();
    }

    private static CliRunner.Outcome deploy(Path script) {
        try (FakeGateway gateway = FakeGateway.start()) {
            gateway.on("POST /scripts", 201, "{\"path\":\"main\",\"hash\":\"h\"}");
            return CliRunner.run("scripts", "deploy", script.toString(), "--server", gateway.url());
        }
    }
}
