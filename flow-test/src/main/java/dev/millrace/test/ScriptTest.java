package dev.millrace.test;

import static java.util.Objects.requireNonNull;

import dev.millrace.flowtest.ScriptUnderTest;
import dev.millrace.flowtest.SimulationStopped;
import dev.millrace.flowtest.StepScripts;
import dev.millrace.flowtest.script.NamedValues;
import dev.millrace.flowtest.script.ScriptCode;
import dev.millrace.scheduler.queue.core.Json;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs a script in a test as a worker does, in a real process, with what it imports. It needs no server and no database.
 *
 * <pre>{@code
 * FlowResult result = ScriptTest.of(Path.of("scripts/greet.py")).run(Map.of("name", "Ada"));
 * assertEquals("Hello, Ada", result.output().textValue());
 * }</pre>
 */
public final class ScriptTest {
    private final Path file;
    private final Map<String, String> secrets = new HashMap<>();
    private final Map<String, Json> resources = new HashMap<>();

    private ScriptTest(Path file) {
        this.file = file;
    }

    /** Begins a test of the script in a file, whose ending tells the language. */
    public static ScriptTest of(Path file) {
        return new ScriptTest(file);
    }

    /** Gives the script a secret, in an input that refers to it and where it asks for it. */
    public ScriptTest secret(String path, String text) {
        secrets.put(requireNonNull(path, "path"), requireNonNull(text, "text"));
        return this;
    }

    /** Gives the script a resource, which Jackson writes as JSON. */
    public ScriptTest resource(String path, @Nullable Object value) {
        resources.put(requireNonNull(path, "path"), TestJson.write(value, "resource " + path));
        return this;
    }

    /**
     * Runs one attempt of the script. May be called several times, and a process is then used again.
     *
     * @param input a record, a map or another value that Jackson writes as a JSON object; null for none
     * @throws AssertionError if the script cannot be read, or this machine cannot run it
     */
    public FlowResult run(@Nullable Object input) {
        try {
            return new FlowResult(ScriptUnderTest.run(
                    new StepScripts(SharedScripts.HOST, new NamedValues(secrets, resources)),
                    ScriptCode.read(file),
                    String.valueOf(file.getFileName()),
                    TestJson.write(input == null ? Map.of() : input, "input"),
                    List.of()));
        } catch (SimulationStopped stopped) {
            throw new AssertionError(stopped.sentence(), stopped);
        } catch (UncheckedIOException | IllegalArgumentException unusable) {
            throw new AssertionError(unusable.getMessage(), unusable);
        }
    }
}
