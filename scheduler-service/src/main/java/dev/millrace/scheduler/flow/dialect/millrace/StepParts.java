package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepList;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListDraft;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.ListKind;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Reference;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Sight;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collector of the expressions and inner lists of one step while the step is read. */
final class StepParts {
    private final Reading reading;
    private final int nesting;
    private final List<Reference> references;
    private final List<ListDraft> inner;

    /**
     * Creates the parts of a step.
     *
     * @param nesting number of nested lists around the step
     */
    StepParts(Reading reading, int nesting) {
        this(reading, nesting, new ArrayList<>(), new ArrayList<>());
    }

    private StepParts(Reading reading, int nesting, List<Reference> references, List<ListDraft> inner) {
        this.reading = reading;
        this.nesting = nesting;
        this.references = references;
        this.inner = inner;
    }

    /** Creates the parts of a step in a list inside this step. */
    StepParts inside() {
        return new StepParts(reading, nesting + 1);
    }

    /** Creates the parts of the action between hooks, which add one level of nesting. */
    StepParts betweenHooks() {
        return new StepParts(reading, nesting + 1, references, inner);
    }

    /** Number of nested lists around the step. */
    int nesting() {
        return nesting;
    }

    Reading reading() {
        return reading;
    }

    List<Reference> references() {
        return references;
    }

    List<ListDraft> inner() {
        return inner;
    }

    /** Reads the value of a key; empty if the key is absent. */
    Optional<Template> template(Fields fields, String key, Sight... sights) {
        Value value = Values.read(reading, fields, key, sights);
        references.addAll(value.references());
        return value.template();
    }

    /** Reads the value of a key that must be an object. Reports a value that cannot be one. */
    Optional<Template> object(Fields fields, String key, String remedy, Sight... sights) {
        fields.find(key)
                .filter(node -> node instanceof SourceNode.Sequence || node instanceof SourceNode.Literal)
                .ifPresent(node -> reading.problem(
                        node.mark(),
                        fields.path(key),
                        key + " is " + node.phrase() + " (expected: an object).",
                        remedy));
        return template(fields, key, sights);
    }

    /** Reads the inner list in {@code steps} and {@code output}. */
    StepList list(Fields owner, ListKind kind) {
        return add(read(owner, kind));
    }

    ListDraft read(Fields owner, ListKind kind) {
        return new StepLists(reading).read(owner, kind, nesting + 1);
    }

    StepList add(ListDraft list) {
        inner.add(list);
        return list.list();
    }

    /** Reads the object of a key that is present. Reports any other value and treats it as an empty object. */
    Fields object(Fields fields, String key, String what, List<String> known) {
        return Fields.of(reading.problems(), fields.find(key).orElseThrow(), fields.path(key), what, known);
    }

    /** Reports a required key that is absent. */
    void require(Fields fields, String key, String message, String remedy) {
        if (fields.isObject() && !fields.has(key)) {
            reading.problem(fields.mark(), fields.path(), message, remedy);
        }
    }
}
