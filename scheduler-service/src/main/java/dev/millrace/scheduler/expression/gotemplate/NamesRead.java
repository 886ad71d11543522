package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.Expression;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Resolver that records the names in a text, so that their values can be sent along for evaluation. */
final class NamesRead implements GoNames {
    /** Prefixes of the keys of variables and fields. */
    static final String VARIABLE = "variable ";

    static final String FIELD = "field ";

    private final GoNames names;
    private final Map<String, Expression> read = new LinkedHashMap<>();

    NamesRead(GoNames names) {
        this.names = names;
    }

    /** Expressions for the resolved names, by key. */
    Map<String, Expression> read() {
        return read;
    }

    @Override
    public Optional<Expression> variable(String name) {
        return noted(VARIABLE + name, names.variable(name));
    }

    @Override
    public Optional<Expression> field(String name) {
        return noted(FIELD + name, names.field(name));
    }

    private Optional<Expression> noted(String key, Optional<Expression> found) {
        found.ifPresent(expression -> read.put(key, expression));
        return found;
    }
}
