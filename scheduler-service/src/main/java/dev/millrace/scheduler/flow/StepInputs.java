package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.dialect.FlowProblem;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.Paths;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.ScriptUse;
import dev.millrace.scheduler.flow.dialect.SourcePlaces;
import dev.millrace.scheduler.input.KnownInput;
import dev.millrace.scheduler.input.KnownInput.Misfit;
import dev.millrace.scheduler.input.KnownInputCheck;
import dev.millrace.scheduler.queue.core.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Warns of steps whose input their script certainly does not take: the jobs would fail. A warning is no problem, because the script
 * may be corrected and deployed before the flow runs.
 */
final class StepInputs {
    /** The check of a script by its path; empty if nothing is certain about what it takes. */
    private final Function<String, Optional<KnownInputCheck>> checks;

    private final Map<String, Optional<KnownInputCheck>> known = new HashMap<>();

    StepInputs(Function<String, Optional<KnownInputCheck>> checks) {
        this.checks = checks;
    }

    List<FlowProblem> warnings(FlowSource source, List<ScriptUse> uses) {
        List<Warning> found = uses.stream()
                .flatMap(use -> warnings(use).stream())
                .limit(Problems.PROBLEMS_MAX)
                .toList();
        if (found.isEmpty()) {
            return List.of();
        }
        SourcePlaces places = SourcePlaces.of(source);
        return found.stream()
                .map(warning -> places.problem(warning.place, warning.message, warning.remedy))
                .toList();
    }

    private record Warning(String place, String message, String remedy) {}

    private List<Warning> warnings(ScriptUse use) {
        Optional<KnownInput> input = known(use.input());
        Optional<KnownInputCheck> check =
                input.isEmpty() ? Optional.empty() : known.computeIfAbsent(use.script(), checks);
        if (check.isEmpty()) {
            return List.of();
        }
        List<Misfit> misfits = check.get().check(input.get());
        Set<String> meant = new HashSet<>();
        List<Warning> warnings = new ArrayList<>();
        for (Misfit misfit : misfits) {
            switch (misfit) {
                case Misfit.Unknown(String key) ->
                    warnings.add(unknown(use, key, check.get().names(), input.get(), meant));
                case Misfit.Missing(String key) -> {
                    if (!meant.contains(key)) {
                        warnings.add(new Warning(
                                use.place(),
                                "The input lacks \"" + key + "\", without which the script " + use.script()
                                        + " does not run.",
                                "Add it."));
                    }
                }
                case Misfit.Wrong(String key, String message) ->
                    warnings.add(new Warning(
                            Paths.member(use.place(), key),
                            "The script " + use.script() + " does not take this input.",
                            message));
            }
        }
        return warnings;
    }

    /** @param meant receives the name that was probably meant, so that it is not reported as missing, too */
    private static Warning unknown(ScriptUse use, String key, List<String> names, KnownInput input, Set<String> meant) {
        List<String> free = names.stream()
                .filter(name -> !input.members().containsKey(name))
                .toList();
        Optional<String> near = Nearest.to(key, free);
        near.ifPresent(meant::add);
        String remedy = near.map(name -> "Did you mean \"" + name + "\"?")
                .orElse(
                        names.isEmpty()
                                ? "It takes no input: remove the key."
                                : "It takes " + String.join(", ", names) + ": correct or remove the key.");
        return new Warning(
                Paths.member(use.place(), key), "The script " + use.script() + " takes no \"" + key + "\".", remedy);
    }

    /** Empty if expressions decide on the keys. */
    private static Optional<KnownInput> known(Template input) {
        Map<String, Optional<Json>> members = new HashMap<>();
        switch (input) {
            case Template.Constant(JsonValue value) -> {
                if (value.kind() != JsonValue.Kind.OBJECT) {
                    return Optional.empty();
                }
                value.members().forEach((key, member) -> members.put(key, Optional.of(member.json())));
            }
            case Template.Members object ->
                object.members()
                        .forEach((key, member) -> members.put(
                                key,
                                member instanceof Template.Constant(JsonValue value)
                                        ? Optional.of(value.json())
                                        : Optional.empty()));
            case Template.Whole _, Template.Text _, Template.Elements _ -> {
                return Optional.empty();
            }
        }
        return Optional.of(new KnownInput(members));
    }
}
