//! Lists, sets, arrays and tuples.

use std::collections::{BTreeSet, BinaryHeap, HashSet, LinkedList, VecDeque};

use crate::tool::schema::{
    Defs, Schema, ToolSchema,
    piece::Piece::{self, Number, Text},
};

const fn list(keywords: &'static [Piece]) -> Schema {
    Schema::of(keywords)
}

macro_rules! lists {
    ($($list:ty $(, $extra:ident)?: $($more:expr),*;)*) => {$(
        impl<T: ToolSchema $(, $extra)?> ToolSchema for $list {
            const SCHEMA: Schema = list(&[
                Text(r#""type":"array","items":"#),
                Piece::Schema(&T::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD),
                $($more,)*
            ]);
            const DEFS: Defs = T::DEFS;
            const CHECKED: bool = T::CHECKED;

            fn check(&self) -> bool {
                !T::CHECKED || self.iter().all(T::check)
            }
        }
    )*};
}

lists! {
    [T]: ;
    Vec<T>: ;
    VecDeque<T>: ;
    LinkedList<T>: ;
    BinaryHeap<T>: ;
    BTreeSet<T>: Text(r#","uniqueItems":true"#);
    HashSet<T, S>, S: Text(r#","uniqueItems":true"#);
}

impl<T: ToolSchema, const N: usize> ToolSchema for [T; N] {
    const SCHEMA: Schema = if N == 0 {
        list(&[Text(r#""type":"array","maxItems":0"#)])
    } else {
        list(&[
            Text(r#""type":"array","items":"#),
            Piece::Schema(&T::TYPES_HOLD_EACH_OTHER_SO_WRITE_SCHEMA_RECURSIVE_ON_ONE_FIELD),
            Text(r#","minItems":"#),
            Number(N as u64),
            Text(r#","maxItems":"#),
            Number(N as u64),
        ])
    };
    const DEFS: Defs = T::DEFS;
    const CHECKED: bool = T::CHECKED;

    fn check(&self) -> bool {
        !T::CHECKED || self.iter().all(T::check)
    }
}

macro_rules! tuples {
    ($($length:literal: $first:ident $($rest:ident)*;)*) => {$(
        impl<$first: ToolSchema $(, $rest: ToolSchema)*> ToolSchema for ($first, $($rest,)*) {
            const SCHEMA: Schema = list(&[
                Text(r#""type":"array","prefixItems":["#),
                Piece::Schema(&$first::SCHEMA),
                $(Text(","), Piece::Schema(&$rest::SCHEMA),)*
                Text(concat!(r#"],"minItems":"#, $length, r#","maxItems":"#, $length)),
            ]);
            const DEFS: Defs = Defs::All(&[$first::DEFS, $($rest::DEFS),*]);
            const CHECKED: bool = $first::CHECKED $(|| $rest::CHECKED)*;

            #[allow(non_snake_case)]
            fn check(&self) -> bool {
                let ($first, $($rest,)*) = self;
                $first.check() $(&& $rest.check())*
            }
        }
    )*};
}

tuples! {
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
    9: A B C D E F G H I;
    10: A B C D E F G H I J;
    11: A B C D E F G H I J K;
    12: A B C D E F G H I J K L;
}
