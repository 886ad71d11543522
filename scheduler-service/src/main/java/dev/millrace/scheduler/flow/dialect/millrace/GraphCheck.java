package dev.millrace.scheduler.flow.dialect.millrace;

import dev.millrace.scheduler.flow.dialect.Nearest;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.Need;
import dev.millrace.scheduler.flow.dialect.millrace.Drafts.StepDraft;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Check of the ids and needs of one list. Finds an order of its steps in which each follows those that it needs. */
final class GraphCheck {
    private final Reading reading;
    private final Level level;
    private final List<StepDraft> steps;
    private boolean sound = true;

    GraphCheck(Reading reading, Level level) {
        this.reading = reading;
        this.level = level;
        this.steps = level.list().steps();
    }

    /**
     * Checks the list and records in the level which steps each step waits for. Returns false if the list has no order
     * or a problem prevents further checks.
     */
    boolean check() {
        for (int i = 0; i < steps.size(); i++) {
            checkId(steps.get(i), i);
        }
        List<Set<Integer>> needs = new ArrayList<>();
        for (StepDraft step : steps) {
            needs.add(needs(step));
        }
        order(needs);
        return sound;
    }

    private void checkId(StepDraft step, int position) {
        boolean twice = level.byId().putIfAbsent(step.id(), position) != null;
        for (Level outer = level.outer(); outer != null && !level.list().single(); outer = outer.outer()) {
            twice |= outer.byId().containsKey(step.id());
        }
        if (twice) {
            problem(
                    step,
                    "The id \"" + step.id() + "\" is taken by another step of this list or one around it.",
                    "Give one of the two another id.");
        }
    }

    private Set<Integer> needs(StepDraft step) {
        Set<Integer> needs = new HashSet<>();
        for (Need need : step.needs()) {
            Integer position = level.byId().get(need.id());
            if (position == null) {
                sound = false;
                reading.problem(
                        need.mark(),
                        need.path(),
                        "Step \"" + step.id() + "\" needs \"" + need.id() + "\", which is not a step of its list.",
                        Nearest.didYouMean(need.id(), level.byId().keySet()) + "Steps of the list: "
                                + String.join(
                                        ", ", steps.stream().map(StepDraft::id).toList()) + ".");
            } else {
                needs.add(position);
            }
        }
        return needs;
    }

    private void order(List<Set<Integer>> needs) {
        int[] unmet = new int[steps.size()];
        List<List<Integer>> successors = new ArrayList<>();
        steps.forEach(step -> successors.add(new ArrayList<>()));
        List<Integer> ordered = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            unmet[i] = needs.get(i).size();
            for (int need : needs.get(i)) {
                successors.get(need).add(i);
            }
            if (unmet[i] == 0) {
                ordered.add(i);
            }
        }
        for (int i = 0; i < ordered.size(); i++) {
            level.waitsFor(ordered.get(i), needs.get(ordered.get(i)));
            for (int successor : successors.get(ordered.get(i))) {
                if (--unmet[successor] == 0) {
                    ordered.add(successor);
                }
            }
        }
        if (ordered.size() < steps.size()) {
            reportCycle(needs, new HashSet<>(ordered));
        }
    }

    /** Finds a cycle by following needs among the unordered steps until a step appears again. */
    private void reportCycle(List<Set<Integer>> needs, Set<Integer> ordered) {
        int step = 0;
        while (ordered.contains(step)) {
            step++;
        }
        List<Integer> way = new ArrayList<>();
        while (!way.contains(step)) {
            way.add(step);
            step = needs.get(step).stream()
                    .filter(need -> !ordered.contains(need))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
        way.add(step);
        List<String> cycle = way.subList(way.indexOf(step), way.size()).stream()
                .map(position -> steps.get(position).id())
                .toList();
        problem(
                steps.get(step),
                "These steps wait for each other: " + String.join(" → ", cycle) + " (each needs the next).",
                "Remove one of these needs.");
    }

    private void problem(StepDraft step, String message, String remedy) {
        sound = false;
        reading.problem(step.mark(), step.path(), message, remedy);
    }
}
