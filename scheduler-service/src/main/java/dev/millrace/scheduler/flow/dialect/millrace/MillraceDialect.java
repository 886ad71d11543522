package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Functions;
import dev.millrace.scheduler.expression.javascript.MillraceLanguage;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowOptions;
import dev.millrace.scheduler.flow.core.definition.InputSpec;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.Dialect;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListKind;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.StepDraft;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Dialect of documents with {@code millrace: v1}. */
public final class MillraceDialect implements Dialect {
    private static final String NAME = "millrace";
    private static final String VERSION = "v1";
    private static final List<String> KEYS = Stream.concat(
                    Stream.of(NAME, "name", "description", "inputs", Preprocessor.KEY, "steps", "output"),
                    FlowFields.KEYS.stream())
            .toList();
    static final Pattern FLOW_NAME = Pattern.compile("[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*");

    private final MillraceLanguage language;

    /**
     * Creates the dialect.
     *
     * @param functions functions that expressions may call besides those of JavaScript, by family
     */
    public MillraceDialect(Map<String, Functions> functions) {
        this.language = new MillraceLanguage(functions);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean recognizes(SourceNode document) {
        return document instanceof SourceNode.Mapping mapping
                && mapping.entries().stream().anyMatch(entry -> entry.key().equals(NAME));
    }

    @Override
    public Compilation compile(SourceNode document, Problems problems) {
        Reading reading = new Reading(problems, language);
        Fields fields = Fields.of(reading.problems(), document, "", "a flow", KEYS);
        checkVersion(fields, reading);
        Optional<String> name = name(fields, reading);
        Optional<String> description = fields.text("description");
        List<InputSpec> inputs = new Inputs(reading).read(fields);
        FlowFields own = new FlowFields(reading);
        Optional<StepDraft> first = Preprocessor.read(reading, fields);
        MillraceLanguage inside = Preprocessor.language(reading, first);
        ListDraft steps = reading.in(inside, () -> new StepLists(reading).read(fields, ListKind.PLAIN, 1, first));
        Optional<FlowFields.Handler> onFailure = reading.in(inside, () -> FlowFields.onFailure(own.parts(), fields));
        FlowOptions options = own.read(fields, steps, onFailure);
        new FlowCheck(reading, inputs, options)
                .check(steps, onFailure.map(FlowFields.Handler::steps), own.references());
        if (!problems.isEmpty()) {
            return new Compilation.Rejected(NAME, problems.inOrder(), reading.scriptPaths());
        }
        FlowDefinition flow =
                new FlowDefinition(name.orElse(""), description.orElse(""), inputs, steps.list(), options);
        return new Compilation.Compiled(NAME, flow, reading.scriptPaths(), reading.flows()).using(reading.scriptUses());
    }

    private static void checkVersion(Fields fields, Reading reading) {
        if (!fields.has(NAME)) {
            reading.problem(
                    fields.mark(),
                    NAME,
                    "The line millrace: v1 is missing.",
                    "Begin the definition with the line: millrace: v1");
            return;
        }
        SourceNode version = fields.find(NAME).orElseThrow();
        if (!(version instanceof SourceNode.Text text && text.text().equals(VERSION))) {
            reading.problem(
                    version.mark(),
                    NAME,
                    "The version " + version.shown() + " of the dialect is unknown.",
                    "Write millrace: v1.");
        }
    }

    private static Optional<String> name(Fields fields, Reading reading) {
        Optional<String> name = fields.text("name");
        if (name.isPresent() && !FLOW_NAME.matcher(name.get()).matches()) {
            reading.problem(
                    fields.find("name").orElseThrow().mark(),
                    "name",
                    "\"" + name.get() + "\" is not the name of a flow.",
                    "Use letters, digits, _ and -, in parts joined by /.");
        }
        return name;
    }
}
