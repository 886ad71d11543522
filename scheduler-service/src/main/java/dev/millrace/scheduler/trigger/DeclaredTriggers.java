package dev.millrace.scheduler.trigger;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.FieldViolation;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.flow.FlowTriggerRows;
import dev.millrace.scheduler.flow.FlowTriggers;
import dev.millrace.scheduler.flow.InputCheck;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.graph.RunInput;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.schema.SchemaInvalid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The triggers that the files of flows declare, of all kinds: {@code shop/report/nightly} for {@code nightly} in the file of
 * {@code shop/report}. They commit with the version of the flow. Blocking and thread-safe.
 */
public final class DeclaredTriggers implements FlowTriggers {
    /** Maximum number of triggers of a kind that a flow declares. */
    public static final int DECLARED_MAX = 100;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final List<DeclaredKind> kinds;

    public DeclaredTriggers(List<DeclaredKind> kinds) {
        this.kinds = List.copyOf(kinds);
    }

    @Override
    public List<FieldViolation> problems(Access by, Workspace workspace, String path, FlowDefinition flow) {
        Violations violations = new Violations();
        kinds.forEach(kind -> wanted(kind, by, workspace, path, flow, violations));
        return violations.all();
    }

    @Override
    public Prepared prepare(Access by, Workspace workspace, String path, FlowDefinition flow) {
        return prepare(by, workspace, path, flow, Triggers::replaceOfFlow);
    }

    @Override
    public FlowTriggerRows plan(Access by, Workspace workspace, String path, FlowDefinition flow) {
        return prepare(by, workspace, path, flow, Triggers::planOfFlow).rows();
    }

    /** Makes the rows of the triggers of one kind. */
    private interface Replacement {
        Optional<FlowTriggerRows> rows(
                Triggers triggers, Workspace workspace, String flow, Map<TriggerKey, TriggerSpec> wanted, Access by);
    }

    private Prepared prepare(
            Access by, Workspace workspace, String path, FlowDefinition flow, Replacement replacement) {
        Violations violations = new Violations();
        List<FlowTriggerRows> rows = new ArrayList<>();
        List<Runnable> committed = new ArrayList<>();
        for (DeclaredKind kind : kinds) {
            Map<TriggerKey, TriggerSpec> wanted = wanted(kind, by, workspace, path, flow, violations);
            if (violations.isEmpty()) {
                replacement.rows(kind.triggers(), workspace, path, wanted, by).ifPresent(change -> {
                    rows.add(change);
                    committed.add(kind.changed());
                });
            }
        }
        if (!violations.isEmpty()) {
            throw MillraceException.invalidFlow(path, violations.all());
        }
        return new Prepared(FlowTriggerRows.all(rows), () -> committed.forEach(Runnable::run));
    }

    /** The triggers of a kind that the file declares, with what they refer to checked. */
    private static Map<TriggerKey, TriggerSpec> wanted(
            DeclaredKind kind,
            Access by,
            Workspace workspace,
            String path,
            FlowDefinition flow,
            Violations violations) {
        Map<TriggerKey, TriggerSpec> wanted = new LinkedHashMap<>();
        read(kind, path, flow, violations)
                .forEach((name, declared) ->
                        wanted.put(kind.triggers().key(workspace, path + "/" + name), declared.spec()));
        if (violations.isEmpty()) {
            wanted.forEach((key, spec) -> requireSettings(kind, key, spec, by, violations));
        }
        return wanted;
    }

    /** Checks what the settings refer to. What is missing or wrong is a problem of the file, which gets a place there. */
    private static void requireSettings(
            DeclaredKind kind, TriggerKey key, TriggerSpec spec, Access by, Violations violations) {
        String place = kind.section() + "." + key.path().substring(key.path().lastIndexOf('/') + 1);
        try {
            Triggers.requireSmall(key, spec);
            kind.check().require(spec.settings(), key, by);
        } catch (MillraceException refused) {
            switch (refused.code()) {
                case INVALID_REQUEST ->
                    refused.violations()
                            .forEach(wrong -> violations.add(
                                    place
                                            + wrong.field()
                                                    .substring(Math.max(
                                                            0, wrong.field().indexOf('.'))),
                                    wrong.description()));
                case SECRET_NOT_FOUND, SECRET_UNAVAILABLE, RESOURCE_NOT_FOUND ->
                    violations.add(place, String.valueOf(refused.getMessage()));
                default -> throw refused;
            }
        }
    }

    private static Map<String, DeclaredKind.Declared> read(
            DeclaredKind kind, String path, FlowDefinition flow, Violations violations) {
        Map<String, DeclaredKind.Declared> read = new LinkedHashMap<>();
        Map<String, JsonValue> declared = Optional.ofNullable(
                        flow.options().triggers().members().get(kind.section()))
                .map(JsonValue::members)
                .orElse(Map.of());
        violations.require(
                declared.size() <= DECLARED_MAX,
                kind.section(),
                declared.size() + " " + kind.section() + " (expected: at most " + DECLARED_MAX + ")");
        declared.forEach((name, value) -> {
            String place = kind.section() + "." + name;
            if (!NAME.matcher(name).matches()) {
                violations.add(place, "is no name (expected: 1 to 64 letters, digits, '_' and '-')");
            } else if (value.kind() != JsonValue.Kind.OBJECT) {
                violations.add(place, "is " + value.shown() + " (expected: an object)");
            } else {
                DeclaredKind.Declared found =
                        kind.reader().read(path, new DeclaredFields(violations, place, value.members()));
                int length = found.spec().description().length();
                violations.require(
                        length <= Triggers.DESCRIPTION_LENGTH_MAX,
                        place + ".description",
                        length + " characters (expected: at most " + Triggers.DESCRIPTION_LENGTH_MAX + ")");
                requireInput(flow, found, place, violations);
                read.put(name, found);
            }
        });
        return read;
    }

    /** Checks the input against the flow of the same file. What lacks in it counts only if no event adds to it. */
    private static void requireInput(
            FlowDefinition flow, DeclaredKind.Declared declared, String place, Violations violations) {
        try {
            if (declared.isWhole()
                    && InputCheck.of(flow).check(declared.sample()) instanceof RunInput.Refused refused) {
                refused.problems()
                        .forEach(problem -> violations.add(
                                place + "." + declared.keyOf(problem.path()),
                                problem.message() + " " + problem.remedy()));
            }
        } catch (SchemaInvalid _) {
            // The compiler of the flow has reported it.
        }
    }
}
