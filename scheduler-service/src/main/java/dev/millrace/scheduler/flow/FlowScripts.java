package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.flow.dialect.Compilation.InlineScript;
import dev.millrace.scheduler.flow.dialect.FlowProblem;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.script.Script;
import dev.millrace.scheduler.script.ScriptPaths;
import dev.millrace.scheduler.script.Scripts;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Resolver of the scripts that a flow names: from the files that come with the flow, otherwise from those deployed in
 * its workspace.
 */
public final class FlowScripts {
    private final Scripts scripts;

    public FlowScripts(Scripts scripts) {
        this.scripts = scripts;
    }

    /** Returns the problems with the scripts at these paths. */
    List<FlowProblem> problems(Access access, Workspace workspace, List<String> paths, Map<String, String> files) {
        return paths.stream()
                .flatMap(path -> problem(access, workspace, path, files).stream())
                .toList();
    }

    /**
     * Returns the current version of a script, or stores the file with that path. Fails if the script was deleted after
     * the check for problems.
     */
    JobTarget.Script version(Workspace workspace, String path, Map<String, String> files) {
        String content = files.get(path);
        if (content == null) {
            return scripts.findCurrentWithoutContent(workspace, path)
                    .map(Script::target)
                    .orElseThrow(() -> deletedMeanwhile("script", List.of(path)));
        }
        return version(
                workspace, path, new InlineScript(ScriptPaths.languageOf(path).orElseThrow(), content));
    }

    /** Makes the exception for a script or flow that was deleted after the check for problems. */
    static MillraceException deletedMeanwhile(String kind, Collection<String> paths) {
        return new MillraceException(
                ErrorCode.INVALID_FLOW,
                "The " + kind + " " + String.join(", ", paths)
                        + " was deleted while the flow was deployed. Deploy it first, or correct its path.");
    }

    /** Stores an inline script of the definition. */
    JobTarget.Script version(Workspace workspace, String path, InlineScript source) {
        return scripts.store(workspace, path, source.language(), source.content())
                .target();
    }

    private Optional<FlowProblem> problem(Access access, Workspace workspace, String path, Map<String, String> files) {
        if (files.containsKey(path)) {
            return ScriptPaths.languageOf(path).isPresent()
                    ? Optional.empty()
                    : problem(
                            "The language of the script " + path + " is unknown.",
                            "Let its name end in .py, .ts, .mts, .js or .mjs.");
        }
        boolean isUsable = access.allows(Role.RUNNER, workspace, path)
                && scripts.findCurrentWithoutContent(workspace, path).isPresent();
        return isUsable
                ? Optional.empty()
                : problem(
                        "The script " + path
                                + " is neither among the files given with the flow nor deployed in workspace "
                                + workspace + ".",
                        "Correct its path, give the file, or deploy it first.");
    }

    private static Optional<FlowProblem> problem(String message, String remedy) {
        return Optional.of(new FlowProblem(0, 0, "", message, remedy));
    }
}
