package dev.millrace.bench.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import one.convert.Arguments;
import one.convert.JfrToFlame;

/** JFR recordings of the services, and a flame graph of each one's threads on the CPU. */
public final class Profile {
    private static final String RECORDING = "bench";

    private final Path folder;
    private final String workload;
    private final Map<String, Long> processes;

    private Profile(Path folder, String workload, Map<String, Long> processes) {
        this.folder = folder;
        this.workload = workload;
        this.processes = processes;
    }

    /** Starts a recording in every service. */
    public static Profile begin(Installation installation, Path folder, String workload) throws IOException {
        Profile profile =
                new Profile(Files.createDirectories(folder), workload, new TreeMap<>(installation.services()));
        for (long pid : profile.processes.values()) {
            jcmd(pid, List.of("JFR.start", "name=" + RECORDING, "settings=profile"));
        }
        return profile;
    }

    /** Ends the recordings; writes {@code WORKLOAD-SERVICE.jfr} and {@code WORKLOAD-SERVICE.html}. */
    public void end() throws IOException {
        for (Map.Entry<String, Long> process : processes.entrySet()) {
            Path recording =
                    folder.resolve(workload + "-" + process.getKey() + ".jfr").toAbsolutePath();
            Path graph =
                    folder.resolve(workload + "-" + process.getKey() + ".html").toAbsolutePath();
            jcmd(process.getValue(), List.of("JFR.stop", "name=" + RECORDING, "filename=" + recording));
            JfrToFlame.convert(recording.toString(), graph.toString(), new Arguments("--threads"));
            System.err.println("Flame graph of the " + process.getKey() + ": " + graph);
        }
    }

    private static void jcmd(long pid, List<String> arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        command.add(Long.toString(pid));
        command.addAll(arguments);
        Process jcmd = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (jcmd.waitFor() != 0) {
                throw new IllegalStateException("'" + String.join(" ", command) + "' failed: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while recording.", e);
        }
    }
}
