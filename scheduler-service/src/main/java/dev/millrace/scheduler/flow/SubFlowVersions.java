package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.FlowLimits;
import dev.millrace.scheduler.flow.core.definition.LimitsInGroups;
import dev.millrace.scheduler.flow.core.definition.NumberedPath;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.graph.ListWalk;
import dev.millrace.scheduler.flow.core.graph.SubFlows;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowProblem;
import dev.millrace.scheduler.flow.dialect.FlowUse;
import dev.millrace.scheduler.queue.core.Workspace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Resolution of all sub-flows of a flow, direct and indirect, to the versions that are current now.
 *
 * <p>Finds sub-flows that would make the flow run forever or exceed a limit. Also determines which sub-flows must be
 * child runs.
 */
public final class SubFlowVersions {
    /** Replaces the hash of a sub-flow that is a child run, in whatever version is current when it starts. */
    public static final String OWN_RUN = "";

    /** Finds the flow at a path. The lookup blocks the caller. */
    @FunctionalInterface
    public interface Deployed {
        Optional<Version> find(String path);
    }

    /** A deployed version. */
    public record Version(String hash, FlowDefinition flow) {}

    /** Size of the flow at a path, with its sub-flows. */
    private sealed interface Extent {
        /**
         * A flow within the limits.
         *
         * @param nesting maximum number of nested lists around a step
         */
        record Fits(int nesting, long steps) implements Extent {}

        record Refused(String message, String remedy) implements Extent {}
    }

    private final Workspace workspace;
    private final Deployed deployed;
    private final Map<String, String> hashes = new TreeMap<>();
    private final Map<String, Extent> extents = new HashMap<>();
    private final Deque<String> trail = new ArrayDeque<>();
    /** Path and version number of the flow in deployment. */
    private final String own;

    private final List<FlowProblem> problems = new ArrayList<>();

    private SubFlowVersions(Workspace workspace, String own, Deployed deployed) {
        this.workspace = workspace;
        this.own = own;
        this.deployed = deployed;
    }

    /**
     * Resolves the sub-flows of a compiled flow.
     *
     * @param path under which the flow is deployed
     */
    public static SubFlowVersions of(
            Workspace workspace, String path, Compilation.Compiled compiled, Deployed deployed) {
        String own = new NumberedPath(path, OptionalInt.of(compiled.number())).toString();
        SubFlowVersions versions = new SubFlowVersions(workspace, own, deployed);
        versions.trail.addLast(path);
        versions.check(compiled);
        return versions;
    }

    /** The hash of each sub-flow by path; incomplete if there are problems. */
    public Map<String, String> hashes() {
        return Map.copyOf(hashes);
    }

    public List<FlowProblem> problems() {
        return List.copyOf(problems);
    }

    private void check(Compilation.Compiled compiled) {
        for (FlowUse use : compiled.flows()) {
            if (extent(use.path()) instanceof Extent.Refused refused) {
                problems.add(use.problem(refused.message(), refused.remedy()));
            }
        }
        if (problems.isEmpty()
                && !compiled.flows().isEmpty()
                && measure(visitor -> ListWalk.through(compiled.flow(), visitor)) instanceof Extent.Refused refused) {
            problems.add(compiled.flows().getFirst().problem(refused.message(), refused.remedy()));
        }
        if (problems.isEmpty() && !compiled.flows().isEmpty()) {
            Map<String, Optional<FlowDefinition>> inside = new HashMap<>();
            LimitsInGroups.find(
                            compiled.flow(),
                            path -> OWN_RUN.equals(hashes.get(path))
                                    ? Optional.empty()
                                    : inside.computeIfAbsent(
                                            path, known -> deployed.find(known).map(Version::flow)))
                    .ifPresent(step -> problems.add(
                            compiled.flows().getFirst().problem(LimitsInGroups.message(step), LimitsInGroups.REMEDY)));
        }
    }

    private Extent extent(String path) {
        if (path.equals(own)) {
            return recursion(trail.getFirst());
        }
        if (trail.contains(path)) {
            return recursion(path);
        }
        Extent known = extents.get(path);
        if (known == null) {
            known = find(path);
            extents.put(path, known);
        }
        return known;
    }

    private Extent find(String path) {
        if (hashes.size() == FlowLimits.SUB_FLOWS_MAX) {
            return new Extent.Refused(
                    "The flow runs more than the limit of " + FlowLimits.SUB_FLOWS_MAX
                            + " other flows as parts of itself, directly or indirectly.",
                    "Join some of them, or start some as runs of their own.");
        }
        Optional<Version> version = deployed.find(path);
        if (version.isEmpty()) {
            NumberedPath missing = NumberedPath.read(path);
            String which = missing.number().isPresent()
                    ? "Version " + missing.number().getAsInt() + " of the flow \"" + missing.path() + "\""
                    : "The flow \"" + path + "\"";
            return new Extent.Refused(
                    which + (trail.size() > 1 ? ", which \"" + trail.getLast() + "\" runs," : "")
                            + " is not deployed in workspace " + workspace + ".",
                    missing.number().isPresent()
                            ? "Deploy the definition that has this version, or name another one; without one, the version"
                                    + " that is deployed at the path is taken."
                            : "Correct its path, or deploy it first.");
        }
        if (SubFlows.needsRun(version.get().flow().options())) {
            hashes.put(path, OWN_RUN);
            return new Extent.Fits(0, 0);
        }
        hashes.put(path, version.get().hash());
        trail.addLast(path);
        Extent extent = measure(visitor -> ListWalk.throughInner(version.get().flow(), visitor));
        trail.removeLast();
        return extent;
    }

    /**
     * Measures a flow.
     *
     * @param lists visits all lists of the flow
     */
    private Extent measure(Consumer<ListWalk.Visitor> lists) {
        List<Extent> sizes = new ArrayList<>();
        lists.accept((list, nesting) -> {
            sizes.add(new Extent.Fits(nesting, list.steps().size()));
            for (Step step : list.steps()) {
                if (step.action() instanceof StepAction.SubFlow sub) {
                    sizes.add(inside(extent(sub.path()), nesting));
                    sizes.add(together(step, sub.path()));
                }
            }
        });
        int nesting = 0;
        long steps = 0;
        for (Extent size : sizes) {
            switch (size) {
                case Extent.Refused refused -> {
                    return refused;
                }
                case Extent.Fits fits -> {
                    nesting = Math.max(nesting, fits.nesting());
                    steps += fits.steps();
                }
            }
        }
        return limited(new Extent.Fits(nesting, steps));
    }

    /** Rejects {@code same_worker} around a child run, which does not share the worker of its parent. */
    private Extent together(Step step, String path) {
        return step.policy().sameWorker() && OWN_RUN.equals(hashes.get(path))
                ? new Extent.Refused(
                        "Step \"" + step.id() + "\" has same_worker, but the flow \"" + path
                                + "\" is a child run, because it has concurrency or cache.",
                        "Give same_worker to that flow.")
                : new Extent.Fits(0, 0);
    }

    private static Extent inside(Extent sub, int nesting) {
        return switch (sub) {
            case Extent.Fits fits -> new Extent.Fits(fits.nesting() + nesting, fits.steps());
            case Extent.Refused refused -> refused;
        };
    }

    private Extent limited(Extent.Fits fits) {
        if (fits.nesting() > FlowLimits.NESTING_MAX) {
            return new Extent.Refused(
                    "With the flows inside it, the flow \"" + trail.getLast() + "\" nests " + fits.nesting()
                            + " levels deep (limit: " + FlowLimits.NESTING_MAX + ").",
                    "Nest loops, branches and flows less deep, or start one of the flows as a run of its own.");
        }
        if (fits.steps() > FlowLimits.STEPS_WITH_SUB_FLOWS_MAX) {
            return new Extent.Refused(
                    "With the flows inside it, the flow \"" + trail.getLast() + "\" has " + fits.steps()
                            + " steps (limit: " + FlowLimits.STEPS_WITH_SUB_FLOWS_MAX + ").",
                    "Use a loop for steps that are alike, or start one of the flows as a run of its own.");
        }
        return fits;
    }

    private Extent recursion(String path) {
        List<String> circle = new ArrayList<>(trail);
        circle.add(path);
        return new Extent.Refused(
                "The flow \"" + path + "\" would run itself: "
                        + String.join(" → ", circle.subList(circle.indexOf(path), circle.size())) + ".",
                "Use a loop, or start one of the flows as a run of its own.");
    }
}
