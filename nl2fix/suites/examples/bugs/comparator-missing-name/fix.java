    @Override
    public int compare(Contact left, Contact right) {
        Comparator<String> order = Comparator.nullsFirst(TEXT);
        return Comparator.comparing(Contact::familyName, order)
                .thenComparing(Contact::givenName, order)
                .compare(left, right);
    }
