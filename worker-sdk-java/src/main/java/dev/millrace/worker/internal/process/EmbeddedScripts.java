package dev.millrace.worker.internal.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.millrace.worker.JobHandler;
import dev.millrace.worker.internal.session.LeasedJob;
import dev.millrace.worker.language.EmbeddedLanguage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Finds out how the worker itself runs the jobs of embedded languages. Thread-safe. */
public final class EmbeddedScripts implements Function<LeasedJob, Optional<JobHandler>> {
    /** Characters of all scripts that are kept in memory. */
    private static final int CHARS_MAX = 4 << 20;

    /** A script in its language. */
    private record Source(EmbeddedLanguage language, String text) {}

    private final ScriptSource scripts;
    private final Map<ScriptRuntime, EmbeddedLanguage> languages = new LinkedHashMap<>();
    private final ScriptRuntimes runtimes;
    /** The least recently used first. */
    private final LinkedHashMap<ScriptKey, Source> kept = new LinkedHashMap<>(16, 0.75f, true);

    private int keptChars;

    public EmbeddedScripts(SchedulerScripts scripts, List<EmbeddedLanguage> languages) {
        this.scripts = scripts;
        languages.forEach(language -> this.languages.put(ScriptRuntime.of(language), language));
        this.runtimes = ScriptRuntimes.only(this.languages.keySet());
    }

    @Override
    public Optional<JobHandler> apply(LeasedJob job) {
        return Optional.of(context -> {
            Source source = find(job);
            return source.language().run(source.text(), context, job.limits().resultBytesMax());
        });
    }

    private Source find(LeasedJob job) {
        ScriptKey key = ScriptKey.of(job.lease());
        synchronized (kept) {
            Source found = kept.get(key);
            if (found != null) {
                return found;
            }
        }
        try {
            Source fetched = read(key, scripts.fetch(key, () -> Optional.of(job).filter(LeasedJob::isHeld)));
            keep(key, fetched);
            return fetched;
        } catch (LoadException e) {
            throw e.toJobException();
        }
    }

    private Source read(ScriptKey key, dev.millrace.proto.script.v1.Script script) {
        ScriptRuntime runtime = runtimes.of(script);
        StoredFiles files = StoredFiles.of(runtime, script);
        if (!files.areOf(key.hash(), runtime)) {
            throw LoadException.ofOtherHash(files.hash(runtime), key);
        }
        return new Source(
                requireNonNull(languages.get(runtime), runtime.name()),
                new String(requireNonNull(files.files().get(files.main())), UTF_8));
    }

    private void keep(ScriptKey key, Source source) {
        synchronized (kept) {
            Source before = kept.put(key, source);
            keptChars +=
                    source.text().length() - (before == null ? 0 : before.text().length());
            var eldest = kept.entrySet().iterator();
            while (keptChars > CHARS_MAX && eldest.hasNext()) {
                keptChars -= eldest.next().getValue().text().length();
                eldest.remove();
            }
        }
    }
}
