package dev.millrace.worker.internal.process;

import static java.util.stream.Collectors.toList;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Beginnings of command lines: programs that change something about a process, and then become the rest of the line. */
final class CommandPrefixes {
    /** The frames channel is file descriptor 3; what the program itself prints goes to stderr. */
    static final List<String> FRAMES_ON_FD_3 = List.of("sh", "-c", "exec \"$@\" 3>&1 1>&2", "sh");

    /**
     * A process that runs once begins when its job does, which a first line tells; a shell reads no more of a pipe than
     * that line.
     */
    static final List<String> WAITS_FOR_ITS_JOB = List.of("sh", "-c", "IFS= read -r job || exit 0; exec \"$@\"", "sh");

    /** Joins a control group, given by its file of members. */
    private static final List<String> IN_ITS_GROUP = List.of("sh", "-c", "echo 0 > \"$0\" && exec \"$@\"");

    /**
     * Capabilities that let one process read another, in setpriv's notation, followed by those that kernels before 5.8
     * know.
     */
    private static final List<String> READS_OTHERS =
            List.of("-sys_ptrace,-perfmon,-sys_admin", "-sys_ptrace,-sys_admin");

    private final List<String> ownSession;
    private final List<String> endWithWorker;

    private CommandPrefixes(List<String> ownSession, List<String> endWithWorker) {
        this.ownSession = List.copyOf(ownSession);
        this.endWithWorker = List.copyOf(endWithWorker);
    }

    /** Looks for the programs, and tries what they can do. */
    static CommandPrefixes find() {
        return new CommandPrefixes(
                Executables.find("setsid").map(path -> List.of(path.toString())).orElse(List.of()),
                Executables.find("setpriv")
                        .map(path -> Stream.concat(
                                        Stream.of(path.toString(), "--pdeathsig", "KILL"),
                                        withoutReadingOthers(path).stream())
                                .collect(toList()))
                        .orElse(List.of()));
    }

    /** Lets the process end with the worker, and takes the capabilities to read other processes; empty without setpriv. */
    List<String> endWithWorker() {
        return endWithWorker;
    }

    /** As {@link #endWithWorker}, in a session and a process group of its own if there is setsid. */
    List<String> inOwnSession() {
        return Stream.concat(ownSession.stream(), endWithWorker.stream()).collect(toList());
    }

    /**
     * Lets the process join control groups.
     *
     * @param members the files with the groups' members
     */
    static List<String> inItsGroups(List<Path> members) {
        List<String> command = new ArrayList<>();
        members.forEach(file -> {
            command.addAll(IN_ITS_GROUP);
            command.add(file.toString());
        });
        return command;
    }

    /**
     * Returns a command that drops the capabilities to read other processes. With them, the superuser may read the
     * environment and memory of all processes, even the worker's. Empty for other users, who lack these capabilities.
     */
    private static List<String> withoutReadingOthers(Path setpriv) {
        for (String dropped : READS_OTHERS) {
            List<String> options = List.of("--bounding-set=" + dropped, "--inh-caps=" + dropped);
            List<String> command = new ArrayList<>(List.of(setpriv.toString()));
            command.addAll(options);
            command.add("true");
            if (ScrubbedCommand.succeeds(command)) {
                return options;
            }
        }
        return List.of();
    }
}
