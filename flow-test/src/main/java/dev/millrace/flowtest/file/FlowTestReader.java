package dev.millrace.flowtest.file;

import dev.millrace.flowtest.FakeTemplate;
import dev.millrace.flowtest.SentSignal;
import dev.millrace.flowtest.Simulation;
import dev.millrace.flowtest.script.NamedValues;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.SourceReader;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.text.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads files with tests of flows, and reports each mistake with its line. */
public final class FlowTestReader {
    private static final String SECRETS = "secrets";
    private static final String RESOURCES = "resources";
    private static final List<String> FILE_KEYS = List.of("flow", "script", "fakes", SECRETS, RESOURCES, "tests");
    private static final List<String> TEST_KEYS =
            List.of("name", "input", "fakes", SECRETS, RESOURCES, "signals", "seed", "begin", "expect");
    private static final List<String> FAKE_KEYS = List.of("result", "results", "script", "error", "fails", "takes");
    private static final List<String> ERROR_KEYS = List.of("name", "message", "retryable");
    private static final List<String> SIGNAL_KEYS = List.of("at", "name", "step", "payload", "deny", "by");
    private static final SourceNode.Mark BEGIN = new SourceNode.Mark(1, 1);

    private final Problems problems = new Problems();

    private FlowTestReader() {}

    /** Reads a file. */
    public static FlowTestFile read(Path file) {
        return new FlowTestReader().file(file);
    }

    private FlowTestFile file(Path file) {
        FlowTestFile.Subject subject = new FlowTestFile.Subject.Flow("");
        List<FlowTestCase> tests = new ArrayList<>();
        Optional<SourceNode> document = text(file).flatMap(text -> SourceReader.yaml(text, problems));
        if (document.isPresent()) {
            Fields fields = Fields.of(problems, document.get(), "", "a file with tests", FILE_KEYS);
            subject = subject(fields);
            tests(fields, fakes(fields), values(fields, NamedValues.NONE), tests);
        }
        List<FlowTestCase> usable = problems.isEmpty() ? tests : List.of();
        return new FlowTestFile(file, subject, usable, problems.inOrder());
    }

    private FlowTestFile.Subject subject(Fields fields) {
        Optional<String> flow = fields.text("flow");
        Optional<String> script = fields.text("script");
        if (fields.has("flow") == fields.has("script")) {
            problems.add(
                    fields.mark(),
                    "",
                    fields.has("flow")
                            ? "The file names a flow and a script."
                            : "The file names no flow and no script.",
                    "Have one line such as flow: order.yaml, or script: ship.py.");
        }
        return script.<FlowTestFile.Subject>map(FlowTestFile.Subject.Script::new)
                .orElseGet(() -> new FlowTestFile.Subject.Flow(flow.orElse("")));
    }

    private Optional<String> text(Path file) {
        try {
            String text = Files.readString(file);
            if (text.isBlank()) {
                problems.add(BEGIN, "", "The file is empty.", "Write tests into it, or remove it.");
                return Optional.empty();
            }
            return Optional.of(text);
        } catch (IOException unreadable) {
            problems.add(BEGIN, "", "The file cannot be read (" + unreadable + ").", "Correct its path.");
            return Optional.empty();
        }
    }

    private void tests(Fields file, Map<String, WrittenFake> shared, NamedValues values, List<FlowTestCase> tests) {
        Optional<SourceNode> list = file.find("tests");
        if (!(list.orElse(null) instanceof SourceNode.Sequence sequence)
                || sequence.items().isEmpty()) {
            problems.add(
                    list.map(SourceNode::mark).orElse(file.mark()),
                    "tests",
                    "The file has no tests.",
                    "Write them as a list: tests: [{name: …, input: …, expect: …}].");
            return;
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < sequence.items().size(); i++) {
            FlowTestCase test = test(sequence.items().get(i), "tests[" + i + "]", shared, values);
            if (!names.add(test.name())) {
                problems.add(
                        sequence.items().get(i).mark(),
                        "tests[" + i + "].name",
                        "Another test of the file has the name \"" + test.name() + "\", too.",
                        "Give each test a name of its own.");
            }
            tests.add(test);
        }
    }

    private FlowTestCase test(SourceNode node, String path, Map<String, WrittenFake> shared, NamedValues values) {
        Fields fields = Fields.of(problems, node, path, "a test", TEST_KEYS);
        Map<String, WrittenFake> fakes = new LinkedHashMap<>(shared);
        fakes.putAll(fakes(fields));
        Json input = fields.find("input").map(given -> given.constant().json()).orElse(Json.EMPTY_OBJECT);
        return new FlowTestCase(
                fields.text("name").orElse("line " + node.mark().line()),
                node.mark().line(),
                input,
                fakes,
                values(fields, values),
                signals(fields),
                fields.whole("seed", 0, Integer.MAX_VALUE).orElse(1),
                begin(fields),
                new ExpectationReader(problems).read(fields));
    }

    private Instant begin(Fields test) {
        Optional<String> text = test.text("begin");
        try {
            return text.map(Instant::parse).orElse(Simulation.BEGIN);
        } catch (DateTimeParseException notMoment) {
            problems.add(
                    test.find("begin").map(SourceNode::mark).orElse(test.mark()),
                    test.path("begin"),
                    "begin is \"" + text.orElse("") + "\" (expected: a moment).",
                    "Write for example 2026-01-01T00:00:00Z.");
            return Simulation.BEGIN;
        }
    }

    /** @param outer those of the file, of which a test may replace some */
    private NamedValues values(Fields around, NamedValues outer) {
        Map<String, String> secrets = new LinkedHashMap<>(outer.secrets());
        Map<String, Json> resources = new LinkedHashMap<>(outer.resources());
        around.find(SECRETS).ifPresent(node -> {
            Fields fields = Fields.of(problems, node, around.path(SECRETS), "secrets", List.of());
            for (SourceNode.Entry entry : fields.entries()) {
                fields.text(entry.key()).ifPresent(text -> secrets.put(entry.key(), text));
            }
        });
        around.find(RESOURCES).ifPresent(node -> {
            Fields fields = Fields.of(problems, node, around.path(RESOURCES), "resources", List.of());
            for (SourceNode.Entry entry : fields.entries()) {
                resources.put(entry.key(), entry.value().constant().json());
            }
        });
        return new NamedValues(secrets, resources);
    }

    private Map<String, WrittenFake> fakes(Fields around) {
        Map<String, WrittenFake> fakes = new LinkedHashMap<>();
        around.find("fakes").ifPresent(node -> {
            String path = around.path("fakes");
            for (SourceNode.Entry entry :
                    Fields.of(problems, node, path, "fakes", List.of()).entries()) {
                fakes.put(entry.key(), fake(entry.key(), entry.value(), path + "." + entry.key()));
            }
        });
        return fakes;
    }

    private WrittenFake fake(String name, SourceNode node, String path) {
        Fields fields = Fields.of(problems, node, path, "a fake", FAKE_KEYS);
        Optional<Integer> fails = fields.whole("fails", 0, WrittenFake.ALWAYS);
        Optional<JobError> error = fields.find("error").map(given -> error(given, fields.path("error")));
        List<FakeTemplate> results = List.of();
        if (fields.find("results").orElse(null) instanceof SourceNode.Sequence list) {
            results = list.items().stream()
                    .map(item -> new FakeTemplate(item.constant()))
                    .toList();
        } else if (fields.has("results")) {
            problems.add(
                    fields.mark(), fields.path("results"), "results is no array.", "Write a result for each call.");
        }
        Optional<FakeTemplate> result = fields.find("result").map(given -> new FakeTemplate(given.constant()));
        Optional<String> script = fields.text("script");
        if (script.isPresent() && (fields.has("result") || fields.has("results"))) {
            problems.add(
                    fields.mark(),
                    path,
                    "A fake has either a script or results.",
                    "Remove the results, or the script.");
        }
        boolean fallsBack = result.isEmpty() && results.isEmpty() && script.isEmpty();
        return new WrittenFake(
                name,
                error.or(
                        () -> fails.map(_ -> new JobError("FakeError", "The fake fails, as the test says.", "", true))),
                fails.orElse(error.isPresent() ? WrittenFake.ALWAYS : 0),
                results,
                fallsBack ? Optional.of(new FakeTemplate(JsonValue.NULL)) : result,
                script,
                fields.duration("takes", Duration.ZERO, Durations.LONGEST).orElse(Duration.ZERO));
    }

    private JobError error(SourceNode node, String path) {
        if (node instanceof SourceNode.Text text) {
            return new JobError("FakeError", text.text(), "", true);
        }
        Fields fields = Fields.of(problems, node, path, "an error", ERROR_KEYS);
        return new JobError(
                fields.text("name").orElse("FakeError"),
                fields.text("message").orElse(""),
                "",
                fields.bool("retryable").orElse(true));
    }

    private List<SentSignal> signals(Fields test) {
        List<SentSignal> signals = new ArrayList<>();
        Optional<SourceNode> list = test.find("signals");
        if (list.orElse(null) instanceof SourceNode.Sequence sequence) {
            for (int i = 0; i < sequence.items().size(); i++) {
                signals.add(signal(sequence.items().get(i), test.path("signals") + "[" + i + "]"));
            }
        } else if (list.isPresent()) {
            problems.add(
                    list.get().mark(),
                    test.path("signals"),
                    "signals is no array.",
                    "Write for example [{name: paid, at: 2h}].");
        }
        return signals;
    }

    private SentSignal signal(SourceNode node, String path) {
        Fields fields = Fields.of(problems, node, path, "a signal", SIGNAL_KEYS);
        Optional<String> name = fields.text("name");
        Optional<String> step = fields.text("step");
        if (name.isPresent() == step.isPresent()) {
            problems.add(
                    fields.mark(),
                    path,
                    "A signal has either a name or a step.",
                    "Write name for a signal, or the step that waits for people.");
        }
        return new SentSignal(
                fields.duration("at", Duration.ZERO, Durations.LONGEST),
                name.<SentSignal.Target>map(SentSignal.Target.Name::new)
                        .orElseGet(() -> new SentSignal.Target.Step(step.orElse(""))),
                fields.find("payload").map(given -> given.constant().json()).orElse(Json.NULL),
                fields.bool("deny").orElse(false),
                fields.text("by").orElse(""));
    }
}
