package dev.millrace.cli.definition;

import dev.millrace.cli.CommandFailure;
import dev.millrace.cli.ExitCode;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Scripts and flows in a folder and at any depth below it, each in the order of their paths.
 *
 * @param flows files called {@code flow.yaml} or {@code NAME.flow.yaml}, and YAML files of our own dialect
 */
public record SourceFolder(List<Path> scripts, List<Path> flows) {
    private static final Pattern SKIPPED = Pattern.compile("\\..+|node_modules|__pycache__");
    private static final Pattern FLOW_NAME = Pattern.compile("(.*\\.)?flow\\.(yaml|yml|json)");
    private static final Pattern OWN_DIALECT = Pattern.compile("^millrace:", Pattern.MULTILINE);
    /** Larger files are no definitions. */
    private static final long DEFINITION_BYTES_MAX = 1 << 20;

    /** Whether a folder holds what people do not deploy, such as packages of npm; or whether a file is hidden. */
    public static boolean isSkipped(Path path) {
        return SKIPPED.matcher(path.getFileName().toString()).matches();
    }

    /**
     * Lists what a folder holds, without what its file {@value IgnoreFile#NAME} leaves out; links to other folders are not
     * followed.
     */
    public static SourceFolder list(Path root) {
        List<Path> scripts = new ArrayList<>();
        List<Path> flows = new ArrayList<>();
        IgnoreFile ignored = IgnoreFile.of(root);
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return !folder.equals(root) && (isSkipped(folder) || ignored.leavesOut(folder, true))
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (isSkipped(file) || ignored.leavesOut(file, false) || !Files.isRegularFile(file)) {
                        return FileVisitResult.CONTINUE;
                    }
                    if (ScriptFile.isScript(file.toString())) {
                        scripts.add(file);
                    } else if (attributes.size() <= DEFINITION_BYTES_MAX && isFlow(file)) {
                        flows.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException gone) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.NOT_FOUND, "The folder " + root + " cannot be read: " + e + ".", e);
        }
        Collections.sort(scripts);
        Collections.sort(flows);
        return new SourceFolder(scripts, flows);
    }

    private static boolean isFlow(Path file) {
        String name = file.getFileName().toString();
        if (FLOW_NAME.matcher(name).matches()) {
            return true;
        }
        if (!FlowFile.isFlow(name) || name.endsWith(".json")) {
            return false;
        }
        try {
            return OWN_DIALECT.matcher(Files.readString(file)).find();
        } catch (IOException unreadable) {
            return false;
        }
    }
}
