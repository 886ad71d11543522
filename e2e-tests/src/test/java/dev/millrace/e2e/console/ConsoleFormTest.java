package dev.millrace.e2e.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Chromium;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Json;
import dev.millrace.e2e.support.SharedInstallation;
import dev.millrace.harness.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Fills in, in a browser, the form of a script whose parameters have every kind of type. */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
final class ConsoleFormTest {
    private static final Path PICTURES = Path.of("target", "console-form");
    private static final Duration SCHEMA_LIMIT = Duration.ofSeconds(60);
    private static final String PATH = "console/form.py";
    private static final String SCRIPT = """
            from dataclasses import dataclass
            from datetime import date
            from typing import Annotated, Literal


            @dataclass
            class Item:
                name: str
                count: int = 1


            @dataclass
            class Circle:
                kind: Literal["circle"]
                radius: float


            @dataclass
            class Square:
                kind: Literal["square"]
                side: int


            def main(
                name: str,
                items: list[Item],
                labels: dict[str, str],
                pair: tuple[int, str],
                shape: Circle | Square,
                data: bytes,
                due: date | None = None,
                maybe: int | None = None,
                speed: Literal["normal", "fast"] = "normal",
                flag: bool = False,
            ):
                return name
            """;
    private static final String EXPECTED = """
            {"name": "Ada", "items": [{"name": "apple", "count": 2}], "labels": {"color": "red"}, "pair": [3, "three"],
             "shape": {"kind": "square", "side": 4}, "data": "AP8=", "due": "2026-01-31", "maybe": 7, "speed": "normal",
             "flag": false}
            """;

    @Test
    void takesEveryKindOfValueAndSaysWhatIsWrongAtItsField(Installation installation, Api api) {
        Chromium chromium = Chromium.findOrSkip();
        api.deployScript(PATH, SCRIPT);
        Await.until(
                "the signature is read",
                SCHEMA_LIMIT,
                () -> api.get("/api/v1/scripts/" + PATH).ok().has("input_schema"));

        JsonNode seen = chromium.run(
                "console_form.mjs",
                Map.of(
                        "gateway",
                        installation.cluster().gatewayUrl().toString(),
                        "script",
                        PATH,
                        "expected",
                        Json.parse(EXPECTED)),
                PICTURES);

        assertThat(seen.path("findings"))
                .as("findings; pictures are in %s", PICTURES)
                .isEmpty();
    }
}
