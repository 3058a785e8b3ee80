multiIf(
    class = 'bot', [('bot', toString(agent))],
    (class = 'human' and source not in {people:Array(String)})
        or (class = 'ai' and (source not in {agents:Array(String)} or purpose not in {purposes:Array(String)})), [],
    missing, [('missing page', path), ('missing site', '')],
    class = 'ai', [('page', path), ('site', ''), ('agent', toString(agent))],
    [('page', path), ('site', '')])
