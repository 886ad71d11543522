package dev.millrace.scheduler.submission;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.Flows;
import dev.millrace.scheduler.flow.LimitRights;
import dev.millrace.scheduler.flow.ReferenceRights;
import dev.millrace.scheduler.flow.StartRights;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.queue.AssumedVersion;
import dev.millrace.scheduler.queue.AssumedVersion.Kind;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.core.Folder;
import dev.millrace.scheduler.queue.core.JobLimit;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.script.Script;
import dev.millrace.scheduler.script.Scripts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Resolves the targets of one submission, and refuses those that the caller may not run. Each target is looked up once,
 * however many specs name it.
 *
 * <p>To run what is deployed under a path, the caller needs the role runner in the folder of the path. A target that is
 * named otherwise needs the role developer in the folder of the run's name, because whoever chooses code may do what
 * the folder may do.
 */
final class TargetResolver {
    private static final Pattern HANDLER = Pattern.compile("[\\w.:/-]{1,100}");
    private static final int SHORT_HASH_LENGTH = 12;

    private final Scripts scripts;
    private final Flows flows;
    private final FlowCatalog catalog;
    private final Access access;
    private final Workspace workspace;
    private final boolean trustsMemory;
    private final Map<dev.millrace.proto.run.v1.RunTarget, ResolvedTarget> resolved = new HashMap<>();
    private final Set<AssumedVersion> assumed = new HashSet<>();

    /** @param trustsMemory whether remembered versions of paths may be used without a look-up, see {@link #assumed} */
    TargetResolver(
            Scripts scripts,
            Flows flows,
            FlowCatalog catalog,
            Access access,
            Workspace workspace,
            boolean trustsMemory) {
        this.scripts = scripts;
        this.flows = flows;
        this.catalog = catalog;
        this.access = access;
        this.workspace = workspace;
        this.trustsMemory = trustsMemory;
    }

    Workspace workspace() {
        return workspace;
    }

    /** The versions that were used without a look-up. */
    Set<AssumedVersion> assumed() {
        return assumed;
    }

    /**
     * The resolved target; empty, with a violation, if the field is invalid. Fails if the script or flow does not
     * exist.
     */
    Optional<ResolvedTarget> resolve(dev.millrace.proto.run.v1.RunTarget target, String field, Violations violations) {
        ResolvedTarget known = resolved.get(target);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<ResolvedTarget> found = find(target, field, violations);
        found.ifPresent(value -> resolved.put(target, value));
        return found;
    }

    private Optional<ResolvedTarget> find(
            dev.millrace.proto.run.v1.RunTarget target, String field, Violations violations) {
        return switch (target.getTargetCase()) {
            case SCRIPT_HASH -> Optional.of(allowed(Role.DEVELOPER, scriptByHash(target.getScriptHash())));
            case SCRIPT_PATH -> {
                access.require(Role.RUNNER, workspace, target.getScriptPath());
                yield Optional.of(scriptByPath(target.getScriptPath()));
            }
            case HANDLER ->
                handler(target.getHandler(), field, violations).map(found -> allowed(Role.DEVELOPER, found));
            case FLOW_HASH -> {
                ResolvedTarget flow = allowed(Role.DEVELOPER, flowByHash(target.getFlowHash()));
                FlowModel model = catalog.model(target.getFlowHash());
                ReferenceRights.require(access, workspace, flow.name(), model.references());
                StartRights.require(access, workspace, flow.name(), model.definition());
                LimitRights.require(access, workspace, model.definition());
                yield Optional.of(flow);
            }
            case FLOW_PATH -> {
                access.require(Role.RUNNER, workspace, target.getFlowPath());
                yield Optional.of(flowByPath(target.getFlowPath()));
            }
            case TARGET_NOT_SET -> {
                violations.add(field, "is not set: name a script, a flow or a handler");
                yield Optional.empty();
            }
        };
    }

    /** Fails unless the caller may use the limit. */
    void requireLimit(JobLimit limit) {
        if (JobLimit.isOfWorkspace(limit.key())) {
            access.require(Role.DEVELOPER, workspace, Folder.NONE);
        }
    }

    private ResolvedTarget allowed(Role least, ResolvedTarget target) {
        access.require(least, workspace, target.name());
        return target;
    }

    private ResolvedTarget scriptByHash(String hash) {
        Script script = scripts.findCached(workspace, hash)
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.SCRIPT_NOT_FOUND,
                        "There is no script version " + hash + " in workspace " + workspace + ": deploy it first."));
        return new ResolvedTarget(
                new RunTarget.Job(script.target()), script.path().isEmpty() ? shortened(hash) : script.path());
    }

    private ResolvedTarget scriptByPath(String path) {
        Optional<Script> remembered = trustsMemory ? scripts.findRemembered(workspace, path) : Optional.empty();
        remembered.ifPresent(script -> assume(Kind.SCRIPT, path, script.hash()));
        Script script = remembered
                .or(() -> scripts.findCurrentWithoutContent(workspace, path))
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.SCRIPT_NOT_FOUND,
                        "There is no script " + path + " in workspace " + workspace + ": deploy it first."));
        return new ResolvedTarget(new RunTarget.Job(script.target()), path);
    }

    private static Optional<ResolvedTarget> handler(String name, String field, Violations violations) {
        if (!HANDLER.matcher(name).matches()) {
            violations.add(
                    field + ".handler",
                    "\"" + name + "\" (expected: 1 to 100 letters, digits, '_', '.', ':', '/' and '-')");
            return Optional.empty();
        }
        var handler = new dev.millrace.scheduler.queue.core.JobTarget.Handler(name);
        return Optional.of(new ResolvedTarget(new RunTarget.Job(handler), name));
    }

    private ResolvedTarget flowByHash(String hash) {
        if (!flows.use(workspace, hash)) {
            throw new MillraceException(
                    ErrorCode.FLOW_NOT_FOUND,
                    "There is no flow version " + hash + " in workspace " + workspace + ": deploy it first.");
        }
        String name = catalog.model(hash).definition().name();
        return new ResolvedTarget(new RunTarget.FlowRun(hash), name.isEmpty() ? shortened(hash) : name);
    }

    private ResolvedTarget flowByPath(String path) {
        Optional<String> remembered = trustsMemory ? flows.findRememberedHash(workspace, path) : Optional.empty();
        remembered.ifPresent(hash -> assume(Kind.FLOW, path, hash));
        String hash = remembered
                .or(() -> flows.findCurrentHash(workspace, path))
                .orElseThrow(() -> new MillraceException(
                        ErrorCode.FLOW_NOT_FOUND,
                        "There is no flow " + path + " in workspace " + workspace + ": deploy it first."));
        return new ResolvedTarget(new RunTarget.FlowRun(hash), path);
    }

    private void assume(Kind kind, String path, String hash) {
        assumed.add(new AssumedVersion(kind, workspace, path, hash));
    }

    private static String shortened(String hash) {
        return hash.substring(0, Math.min(SHORT_HASH_LENGTH, hash.length()));
    }
}
