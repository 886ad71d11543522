// Executes what expressions commonly use, so that the first expression of a flow does not wait for the engine to load it.
(function (input) {
    const { list, ...rest } = input;
    const names = list.filter((x) => x.id > 0).map((x) => ({ ...x, label: `${x.name}-${x.id}` }));
    const counts = names.reduce((all, { name }) => ((all[name] = (all[name] ?? 0) + 1), all), {});
    const text = [...Object.keys(counts), ...Object.entries(rest)].sort().join(",").toUpperCase();
    const seen = new Set(text.split(/[,;]\s*/).map((part) => part.trim().replace(/a/gi, "b")));
    const when = new Date(Date.UTC(2020, 0, 1));
    try {
        null.missing;
    } catch (error) {
        seen.add(error.message);
    }
    for (const value of new Map(Object.entries(counts)).values()) {
        seen.add(Math.max(value, Number.parseFloat("1.5").toFixed(2)));
    }
    return { all: [...seen], date: when.toISOString() + when.toString(), json: JSON.parse(JSON.stringify(input)), length: list?.length };
})
