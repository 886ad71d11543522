package dev.millrace.scheduler.flow;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.Compilation.InlineScript;
import dev.millrace.scheduler.flow.dialect.FlowProblem;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.flow.dialect.SourcePlaces;
import dev.millrace.scheduler.input.InputSchemas;
import dev.millrace.scheduler.input.KnownInputCheck;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.script.Script;
import dev.millrace.scheduler.script.ScriptFileRules;
import dev.millrace.scheduler.script.ScriptImports;
import dev.millrace.scheduler.script.ScriptPaths;
import dev.millrace.scheduler.script.ScriptSource;
import dev.millrace.scheduler.script.Scripts;
import dev.millrace.text.script.ScriptLanguages;
import dev.millrace.text.script.WindmillLock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Resolver of the scripts that a flow names: from the files that come with the flow, otherwise from those deployed in
 * its workspace.
 */
public final class FlowScripts {
    /** What becomes of the scripts that come with a flow. */
    enum Keeping {
        /** They are stored. */
        STORED,
        /** Only their versions are computed. */
        NAMED
    }

    private final Scripts scripts;
    private final InputSchemas schemas;
    private final ScriptImports imports;
    private final int bytesMax;

    /**
     * Creates the resolver.
     *
     * @param bytesMax maximum size of a script with the files that it imports, in bytes
     */
    public FlowScripts(Scripts scripts, InputSchemas schemas, int bytesMax) {
        this.scripts = scripts;
        this.schemas = schemas;
        this.imports = new ScriptImports(scripts, bytesMax);
        this.bytesMax = bytesMax;
    }

    /** Returns the problems with the scripts at these paths. */
    List<FlowProblem> problems(
            Access access, Workspace workspace, FlowSource source, List<String> paths, Map<String, String> files) {
        return paths.stream()
                .flatMap(path -> problem(access, workspace, source, path, files).stream())
                .toList();
    }

    /**
     * Returns the current version of a script, or that of the file with that path and those that it imports. Fails if
     * the script was deleted after the check for problems.
     */
    JobTarget.Script version(
            Access access,
            Workspace workspace,
            String path,
            Compilation.Compiled flow,
            Map<String, String> files,
            Keeping keeping) {
        String content = files.get(path);
        if (content == null) {
            return scripts.findCurrentWithoutContent(workspace, path)
                    .map(Script::target)
                    .orElseThrow(() -> deletedMeanwhile("script", List.of(path)));
        }
        InlineScript script = new InlineScript(flow.languageOf(path, content).orElseThrow(), content);
        return version(access, workspace, path, script, files, keeping);
    }

    /** Makes the exception for a script or flow that was deleted after the check for problems. */
    static MillraceException deletedMeanwhile(String kind, Collection<String> paths) {
        return new MillraceException(
                ErrorCode.INVALID_FLOW,
                "The " + kind + " " + String.join(", ", paths)
                        + " was deleted while the flow was deployed. Deploy it first, or correct its path.");
    }

    /** Returns the version of a script of the definition with the files that it imports. */
    JobTarget.Script version(
            Access access,
            Workspace workspace,
            String path,
            InlineScript script,
            Map<String, String> files,
            Keeping keeping) {
        String file = fileName(path, script);
        ScriptSource source = imports.complete(
                workspace,
                file,
                ScriptSource.choosing(script.language(), script.content(), lockOf(file, script)),
                files,
                imported -> access.allows(Role.RUNNER, workspace, imported));
        Violations violations = new Violations();
        ScriptFileRules.check(file, source, bytesMax, violations);
        violations.throwIfAny();
        String name = source.files().isEmpty() ? path : file;
        return switch (keeping) {
            case STORED -> scripts.store(workspace, name, source).target();
            case NAMED -> Scripts.versionOf(name, source);
        };
    }

    /** The check of the inputs that a script of a flow without problems takes; empty if nothing is certain about them. */
    Optional<KnownInputCheck> inputCheck(
            Access access, Workspace workspace, String path, Compilation.Compiled flow, Map<String, String> files) {
        InlineScript inline = flow.inlineScripts().get(path);
        JobTarget.Script version;
        try {
            version = inline == null
                    ? version(access, workspace, path, flow, files, Keeping.NAMED)
                    : version(access, workspace, path, inline, files, Keeping.NAMED);
        } catch (MillraceException refused) {
            // The deployment says why.
            return Optional.empty();
        }
        return schemas.certain(
                        workspace,
                        version,
                        () -> inline == null
                                ? Optional.ofNullable(files.get(path))
                                        .or(() -> scripts.find(workspace, version.hash())
                                                .map(Script::content))
                                : Optional.of(inline.content()))
                .map(KnownInputCheck::of);
    }

    private static Map<String, String> lockOf(String file, InlineScript script) {
        return script.lock().isEmpty() ? Map.of() : Map.of(WindmillLock.pathFor(file), script.lock());
    }

    /** The path, or a file's name for a script that stands in the definition. */
    private static String fileName(String path, InlineScript script) {
        if (ScriptLanguages.fits(path, script.language().name())) {
            return path;
        }
        String name = path.replaceAll("[^\\w-]", "_");
        return name + ScriptLanguages.endingOf(script.language().name()).orElse("");
    }

    private Optional<FlowProblem> problem(
            Access access, Workspace workspace, FlowSource source, String path, Map<String, String> files) {
        if (files.containsKey(path)) {
            return ScriptPaths.languageOf(path).isPresent()
                    ? Optional.empty()
                    : problem(
                            source,
                            path,
                            "The language of the script " + path + " is unknown.",
                            "Let its name end in " + ScriptLanguages.endingsInWords()
                                    + ", or deploy it with its language.");
        }
        boolean isUsable = access.allows(Role.RUNNER, workspace, path)
                && scripts.findCurrentWithoutContent(workspace, path).isPresent();
        return isUsable
                ? Optional.empty()
                : problem(
                        source,
                        path,
                        "The script " + path
                                + " is neither among the files given with the flow nor deployed in workspace "
                                + workspace + ".",
                        "Correct its path, give the file, or deploy it first.");
    }

    private static Optional<FlowProblem> problem(FlowSource source, String path, String message, String remedy) {
        return Optional.of(SourcePlaces.problemOf(source, path, message, remedy));
    }
}
