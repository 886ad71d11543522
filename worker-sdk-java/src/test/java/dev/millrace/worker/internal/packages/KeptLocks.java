package dev.millrace.worker.internal.packages;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps locks as the scheduler does: the first one counts. */
final class KeptLocks implements LockKeeper {
    final Map<String, String> locks = new ConcurrentHashMap<>();

    @Override
    public Optional<String> find(String interpreter) {
        return Optional.ofNullable(locks.get(interpreter));
    }

    @Override
    public String keep(String interpreter, String lock, List<String> inferred) {
        String before = locks.putIfAbsent(interpreter, lock);
        return before == null ? lock : before;
    }
}
